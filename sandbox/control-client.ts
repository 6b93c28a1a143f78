import { request } from "undici";
import type { SandboxProfileName } from "@/lib/providers/sandbox/profiles";
import type { LoggedEffect } from "./effects";
import type { FaultRule, FaultRuleInput } from "./fault-rules";
import type { PersonsDeed } from "./persons";
import type { ReceivedDelivery } from "./received";
import type { ReceiverSettings } from "./receiver-control";

export interface AccountSettings {
  readonly apiKey: string;
  readonly profile: SandboxProfileName;
  readonly webhookUrl?: string;
  readonly webhookSecret?: string;
  readonly clockOffsetMs?: number;
  readonly remindersEveryMs?: number;
}

export interface ControlledRequest {
  readonly id: string;
  readonly client_reference: string | null;
  readonly status: string;
  readonly expires_at: string;
  readonly version: number;
  readonly signers: readonly {
    readonly reference: string;
    readonly status: string;
    readonly sign_url: string;
  }[];
}

export interface PendingWork {
  readonly calls_under_way: number;
  readonly queued_calls: number;
  readonly waiting_webhooks: number;
}

/** What a rule needs to say; the rest has defaults (the next call, once). */
export type NewFaultRule = Pick<FaultRuleInput, "fault" | "operation"> & Partial<FaultRuleInput>;

/**
 * Everybody else at the platform, for tests and demonstrations: sets up accounts, switches faults on, acts as
 * another person and reads the effect log. Every method throws when the control API refuses.
 */
export class SandboxControl {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async putAccount(id: string, settings: AccountSettings): Promise<void> {
    await this.#call("PUT", this.#account(id), {
      api_key: settings.apiKey,
      profile: settings.profile,
      webhook_url: settings.webhookUrl ?? null,
      webhook_secret: settings.webhookSecret ?? null,
      clock_offset_ms: settings.clockOffsetMs ?? 0,
      reminders_every_ms: settings.remindersEveryMs ?? null,
    });
  }

  /** The ground truth, oldest first (SB-3). */
  async effects(
    accountId: string,
    filter: { clientReference?: string; requestId?: string; kind?: string } = {},
  ): Promise<LoggedEffect[]> {
    const query = new URLSearchParams();
    if (filter.clientReference) query.set("client_reference", filter.clientReference);
    if (filter.requestId) query.set("request_id", filter.requestId);
    if (filter.kind) query.set("kind", filter.kind);
    const answer = await this.#call("GET", `${this.#account(accountId)}/effects?${query}`);
    return (answer as { effects: LoggedEffect[] }).effects;
  }

  /** What is still to come for the account; all zero means that it is at rest. */
  async pending(accountId: string): Promise<PendingWork> {
    const answer = await this.#call("GET", this.#account(accountId));
    return (answer as { pending: PendingWork }).pending;
  }

  async requests(accountId: string): Promise<ControlledRequest[]> {
    const answer = await this.#call("GET", `${this.#account(accountId)}/requests`);
    return (answer as { requests: ControlledRequest[] }).requests;
  }

  async addFault(accountId: string, rule: NewFaultRule): Promise<FaultRule> {
    const answer = await this.#call("POST", `${this.#account(accountId)}/faults`, rule);
    return answer as FaultRule;
  }

  async faults(accountId: string): Promise<FaultRule[]> {
    const answer = await this.#call("GET", `${this.#account(accountId)}/faults`);
    return (answer as { rules: FaultRule[] }).rules;
  }

  /** Removes one rule, or every rule of the account. */
  async removeFaults(accountId: string, ruleId?: string): Promise<void> {
    const one = ruleId === undefined ? "" : `/${ruleId}`;
    await this.#call("DELETE", `${this.#account(accountId)}/faults${one}`);
  }

  async act(accountId: string, requestId: string, deed: PersonsDeed): Promise<void> {
    await this.#call("POST", `${this.#account(accountId)}/requests/${requestId}/changes`, deed);
  }

  /** Moves the account's clock on, or sets how far it is off. */
  async moveClock(
    accountId: string,
    move: { readonly advance_ms: number } | { readonly offset_ms: number },
  ): Promise<void> {
    await this.#call("POST", `${this.#account(accountId)}/clock`, move);
  }

  /** Makes a receiver of deliveries or replaces its settings; what it received stays. */
  async putReceiver(name: string, settings: ReceiverSettings): Promise<void> {
    await this.#call("PUT", `/control/receivers/${encodeURIComponent(name)}`, settings);
  }

  /** What a receiver was sent, oldest first. */
  async received(name: string): Promise<ReceivedDelivery[]> {
    const answer = await this.#call("GET", `/control/receivers/${encodeURIComponent(name)}`);
    return (answer as { deliveries: ReceivedDelivery[] }).deliveries;
  }

  #account(id: string): string {
    return `/control/accounts/${encodeURIComponent(id)}`;
  }

  async #call(method: "GET" | "PUT" | "POST" | "DELETE", path: string, body?: unknown) {
    const response = await request(new URL(path, this.#url), {
      method,
      body: body === undefined ? null : JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    const text = await response.body.text();
    if (response.statusCode >= 300) {
      throw new Error(`${method} ${path} was answered ${response.statusCode}: ${text}`);
    }
    return text === "" ? null : (JSON.parse(text) as unknown);
  }
}
