import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // A lock file in a folder above must not make Next look for sources there.
  turbopack: { root: import.meta.dirname },
  // Native code and drivers are loaded from node_modules as they are.
  serverExternalPackages: ["@node-rs/argon2", "pg", "pino", "prom-client"],
  headers: async () => [
    {
      source: "/:path*",
      headers: [
        { key: "x-content-type-options", value: "nosniff" },
        { key: "referrer-policy", value: "same-origin" },
        { key: "cross-origin-opener-policy", value: "same-origin" },
        { key: "permissions-policy", value: "camera=(), microphone=(), geolocation=()" },
        // Browsers heed it on https only, which is where it belongs.
        { key: "strict-transport-security", value: "max-age=31536000" },
      ],
    },
  ],
};

export default config;
