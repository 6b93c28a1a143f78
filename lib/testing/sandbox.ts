import { randomUUID } from "node:crypto";
import type { CapabilityDescriptor } from "@/lib/domain/capability";
import type { Provider, SendCall } from "@/lib/providers/port";
import { createSandboxProvider } from "@/lib/providers/sandbox/client";
import { descriptorOf } from "@/lib/providers/sandbox/descriptor";
import {
  type SandboxProfile,
  type SandboxProfileName,
  sandboxProfile,
} from "@/lib/providers/sandbox/profiles";
import { type AccountSettings, SandboxControl } from "@/sandbox/control-client";
import { startSandbox } from "@/sandbox/server";
import { emptyDatabase } from "./database";
import type { TestDatabase } from "./database-server";

/** One account at a sandbox platform with the adapter that a ledger would use for it. */
export interface TestAccount {
  readonly id: string;
  readonly apiKey: string;
  readonly profileName: SandboxProfileName;
  readonly profile: SandboxProfile;
  readonly descriptor: CapabilityDescriptor;
  readonly provider: Provider;
}

export interface TestSandbox {
  readonly url: string;
  readonly databaseUrl: string;
  readonly control: SandboxControl;
  /** A fresh account with this profile. */
  account(
    profile: SandboxProfileName,
    settings?: Partial<Omit<AccountSettings, "profile">>,
  ): Promise<TestAccount>;
  close(): Promise<void>;
}

/**
 * A sandbox platform in this process with a database of its own, an empty one that the caller brings where no test
 * runs; close it at the end.
 */
export async function testSandbox(given?: TestDatabase): Promise<TestSandbox> {
  const database = given ?? (await emptyDatabase());
  const sandbox = await startSandbox({ databaseUrl: database.url, port: 0 });
  const control = new SandboxControl(sandbox.url);
  return {
    url: sandbox.url,
    databaseUrl: database.url,
    control,
    account: async (profileName, settings = {}) => {
      const id = `acc_${randomUUID()}`;
      const apiKey = settings.apiKey ?? `key_${randomUUID()}`;
      await control.putAccount(id, { ...settings, apiKey, profile: profileName });
      const profile = sandboxProfile(profileName);
      const descriptor = descriptorOf(profile);
      const provider = createSandboxProvider({ baseUrl: sandbox.url, apiKey, descriptor });
      return { id, apiKey, profileName, profile, descriptor, provider };
    },
    close: async () => {
      await sandbox.close();
      await database.close();
    },
  };
}

/** A send that every profile takes; the expiry is a whole hour in two to three weeks unless given. */
export function aSendCall(overrides: Partial<SendCall> = {}): SendCall {
  const hour = 3_600_000;
  return {
    opId: randomUUID(),
    documentDigest: "0".repeat(64),
    templateId: null,
    templateVersion: null,
    title: "Lease agreement",
    message: "Please sign.",
    expiresAt: new Date(Math.ceil(Date.now() / hour) * hour + 400 * hour).toISOString(),
    remindersByPlatform: false,
    signers: [
      {
        subjectRef: "sub_1",
        role: "signer",
        order: 1,
        name: "Pat Example",
        email: "pat@example.com",
      },
      {
        subjectRef: "sub_2",
        role: "signer",
        order: 2,
        name: "Kim Example",
        email: "kim@example.com",
      },
    ],
    ...overrides,
  };
}
