import { request } from "undici";

/** What a signer does at the platform. */
export interface SignerDeed {
  readonly change: "view" | "sign";
  /** The signer's reference, which is our subject reference. */
  readonly signer: string;
}

/** The two calls of the sandbox's control API that the demo needs; the seed knows the platform only by its addresses. */
export class PlatformControl {
  readonly #account: string;

  constructor(sandboxUrl: string, account: string) {
    this.#account = new URL(`/control/accounts/${encodeURIComponent(account)}`, sandboxUrl).href;
  }

  /** Makes the account or replaces its settings; its requests stay. Throws when the platform refuses. */
  async putAccount(settings: Readonly<Record<string, string | null>>): Promise<void> {
    await send("PUT", this.#account, settings);
  }

  /** Lets a signer act. Throws when the platform refuses. */
  async act(platformRef: string, deed: SignerDeed): Promise<void> {
    await send("POST", `${this.#account}/requests/${platformRef}/changes`, deed);
  }
}

/** Makes the sandbox's receiver of this name, which checks signatures by the secret. Throws when it is refused. */
export async function putReceiver(sandboxUrl: string, name: string, secret: string): Promise<void> {
  const url = new URL(`/control/receivers/${encodeURIComponent(name)}`, sandboxUrl).href;
  await send("PUT", url, { secrets: [secret] });
}

async function send(method: "PUT" | "POST", url: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await request(url, { method, headers, body: JSON.stringify(body) });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) {
    throw new Error(`the sandbox answered ${answer.statusCode}: ${text.slice(0, 200)}`);
  }
}
