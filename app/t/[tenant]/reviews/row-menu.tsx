"use client";

import { ActionIcon, Menu } from "@mantine/core";
import { Ellipsis } from "lucide-react";
import { useFrame } from "@/components/frame/frame-facts";
import type { ReviewRow } from "@/lib/queries/review-rows";
import { ACT_WORDS, actsFor, type OfferedAct } from "./item-acts";

interface RowMenuProps {
  readonly row: ReviewRow;
  readonly act: (act: OfferedAct, row: ReviewRow) => void;
}

/** What the keys do, for a pointer; absent where the reader may do nothing with the item. */
export function RowMenu({ row, act }: RowMenuProps) {
  const { account } = useFrame();
  const acts = actsFor(row, account.id);
  if (acts.length === 0) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Act on ${row.reason} of ${row.requestRef ?? row.id.slice(0, 8)}`}
        >
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {acts.map((one) => (
          <Menu.Item
            key={one}
            onClick={() => act(one, row)}
            rightSection={<kbd>{ACT_WORDS[one].key}</kbd>}
          >
            {ACT_WORDS[one].label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
