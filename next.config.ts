import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // A lock file in a folder above must not make Next look for sources there.
  turbopack: { root: import.meta.dirname },
  // Native code and drivers are loaded from node_modules as they are.
  serverExternalPackages: ["@node-rs/argon2", "pg", "pino"],
};

export default config;
