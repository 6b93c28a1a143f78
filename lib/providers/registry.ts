import type { CapabilityDescriptor } from "@/lib/domain/capability";
import type { Provider } from "./port";
import { createSandboxProvider } from "./sandbox/client";

/** A platform connection with its credential in the clear, as the worker holds it for one call. */
export interface ProviderConnection {
  readonly adapter: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly descriptor: CapabilityDescriptor;
}

/** The adapter of a connection. Throws when no adapter has that name, which is an error of configuration. */
export function providerFor(connection: ProviderConnection): Provider {
  switch (connection.adapter) {
    case "sandbox":
      return createSandboxProvider(connection);
    default:
      throw new Error("No adapter has the name that this connection gives.");
  }
}
