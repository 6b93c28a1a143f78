"use client";

import { useRef, useState } from "react";
import { postJson } from "@/components/api-call";
import { useFrame } from "@/components/frame/frame-facts";
import { freshId } from "@/components/fresh-id";
import { ACT_WORDS, type ActItem, actsFor, type OfferedAct } from "./item-acts";

/** A dialog that is open: which act on which item, and the key of the one request that it may send (API-1). */
export interface OpenAct {
  readonly act: OfferedAct;
  readonly item: ActItem;
  readonly key: string;
}

export interface ItemActs {
  readonly open: OpenAct | null;
  readonly busy: boolean;
  /** What came of the last act; announced. */
  readonly said: { readonly id: string; readonly text: string; readonly refused: boolean } | null;
  /** Begins an act on an item; does nothing where the item does not offer it. */
  begin(act: OfferedAct, item: ActItem): void;
  /** Sends what the open dialog holds; the refusal's sentence, or null. */
  send(body: Readonly<Record<string, unknown>>): Promise<string | null>;
  close(): void;
}

/** Acts that need no question run at once, all others through a dialog. `done` is called after each. */
export function useItemActs(tenant: string, done: () => void): ItemActs {
  const { account } = useFrame();
  const [open, setOpen] = useState<OpenAct | null>(null);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<ItemActs["said"]>(null);
  const underWay = useRef(false);
  const post = async (
    { act, item, key }: OpenAct,
    body: object,
  ): Promise<{ readonly text: string; readonly refused: boolean }> => {
    const { path, done: words } = ACT_WORDS[act];
    const answer = await postJson(`/api/v1/t/${tenant}/reviews/${item.id}/${path}`, body, key);
    if (answer.kind === "refused") return { text: answer.problem.detail, refused: true };
    if (answer.kind === "ok") return { text: words, refused: false };
    return { text: "We did not hear back. What is shown is read again.", refused: false };
  };
  const run = async (of: OpenAct, body: object) => {
    // Two presses in one frame meet here before any state is drawn.
    if (underWay.current) return null;
    underWay.current = true;
    setBusy(true);
    const { text, refused } = await post(of, body);
    underWay.current = false;
    setBusy(false);
    setSaid({ id: of.item.id, text, refused });
    done();
    return refused ? text : null;
  };
  return {
    open,
    busy,
    said,
    begin: (act, item) => {
      if (!actsFor(item, account.id).includes(act)) return;
      const of = { act, item, key: freshId() };
      if (act === "take") void run(of, { to: `account:${account.id}` });
      else if (act === "see") void run(of, {});
      else setOpen(of);
    },
    send: async (body) => {
      if (open === null) return null;
      // Another owner by now is told instead of overruled.
      const from = open.act === "hand_over" ? { from: open.item.owner } : {};
      const refused = await run(open, { ...body, ...from });
      if (refused === null) setOpen(null);
      return refused;
    },
    close: () => setOpen(null),
  };
}
