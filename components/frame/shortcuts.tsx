"use client";

import { Kbd, Modal, Table } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { useFrame } from "./frame-facts";
import { useFreshness } from "./live";
import { pageGroupsFor } from "./pages";
import { READING_CHOICES } from "./reading-choice";
import { useReadingChoice } from "./reading-zone";
import { isTyping, singleKeysAreOn } from "./single-keys";

/** How long `g` waits for the second key. */
const SEQUENCE_MS = 1500;

/** Single keys of the frame. Silent in fields; none of them changes anything at a platform. */
export function Shortcuts() {
  const [opened, dialog] = useDisclosure(false);
  const go = useGoKeys();
  const { paused, setPaused } = useFreshness();
  const { choice, choose } = useReadingChoice();
  const onKey = useRef<(event: KeyboardEvent) => void>(() => undefined);
  onKey.current = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (!singleKeysAreOn() || go(event)) return;
    if (event.key === "?") dialog.open();
    else if (event.key === "P" && event.shiftKey) setPaused(!paused);
    else if (event.key === "z") choose(after(choice));
  };
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey.current(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
  return <ShortcutsDialog opened={opened} close={dialog.close} />;
}

function after(choice: string): (typeof READING_CHOICES)[number] {
  const place = (READING_CHOICES as readonly string[]).indexOf(choice);
  return READING_CHOICES[(place + 1) % READING_CHOICES.length] ?? "utc";
}

/** Handles `g` and the key after it; true when the key was used. */
function useGoKeys(): (event: KeyboardEvent) => boolean {
  const { tenant, role } = useFrame();
  const router = useRouter();
  const begun = useRef(0);
  return (event) => {
    if (event.key === "g") {
      begun.current = event.timeStamp;
      return true;
    }
    const waiting = event.timeStamp - begun.current < SEQUENCE_MS && begun.current > 0;
    begun.current = 0;
    if (!waiting) return false;
    const target = pageGroupsFor(role)
      .flatMap((group) => group.pages)
      .find(({ goKey }) => goKey === event.key);
    if (target) router.push(`/t/${tenant.slug}${target.path}`);
    else if (event.key === "t") router.push("/tenants");
    return true;
  };
}

const KEYS = [
  ["Ctrl K", "Search or jump"],
  ["?", "This list"],
  ["/", "Filter the list"],
  ["j k", "Move between rows"],
  ["Enter", "Open the row"],
  ["[ ]", "Previous, next item of the list you came from"],
  ["1 … 9", "Tabs"],
  ["x Shift X", "Select the row, the page"],
  ["a y h s", "Review item: take, acknowledge, hand over, snooze"],
  ["m", "Review item: decide"],
  ["z", "Next reading zone"],
  ["v b", "Deadlines: next view, next order"],
  ["Shift P", "Pause and resume live updates"],
  ["Ctrl Enter", "Main button of the form you are in"],
  ["Esc", "Close"],
] as const;

function ShortcutsDialog({ opened, close }: { readonly opened: boolean; close(): void }) {
  const { role } = useFrame();
  const pages = pageGroupsFor(role).flatMap((group) => group.pages);
  const rows = [
    ...KEYS,
    ...pages.flatMap(({ goKey, label }) =>
      goKey === null ? [] : [[`g ${goKey}`, label] as const],
    ),
    ["g t", "Choose a tenant"] as const,
  ];
  return (
    <Modal opened={opened} onClose={close} title="Keyboard shortcuts">
      <Table withRowBorders={false} verticalSpacing={4}>
        <Table.Tbody>
          {rows.map(([keys, what]) => (
            <Table.Tr key={keys}>
              <Table.Th scope="row" w={110}>
                <Kbd size="xs">{keys}</Kbd>
              </Table.Th>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
