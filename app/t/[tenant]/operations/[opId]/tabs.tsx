"use client";

import { NativeSelect, Tabs } from "@mantine/core";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { StateBadge } from "@/components/state-badge";
import type { OperationPage } from "@/lib/queries/operation-page";
import classes from "./operation.module.css";
import { ApprovalsPanel, EventsPanel, EvidencePanel } from "./panels";
import { ChainPanel, PayloadPanel, ReadsPanel } from "./proof-panels";

const TABS = ["evidence", "payload", "reads", "approvals", "events", "chain"] as const;
type Tab = (typeof TABS)[number];

/** The parts that one looks up: evidence, payload, reads, approvals, events and the chain. */
export function OperationTabs({ page }: { readonly page: OperationPage }) {
  const [tab, setTab] = useQueryState("tab", parseAsStringLiteral(TABS).withDefault("evidence"));
  const labels: Record<Tab, string> = {
    evidence: "Evidence",
    payload: "Payload",
    reads: `Reads (${page.receipts.length})`,
    approvals: `Approvals (${page.approvals.length})`,
    events: `Events (${page.inbound.length})`,
    chain: "Chain",
  };
  const change = (value: string | null) => void setTab(TABS.find((each) => each === value) ?? null);
  return (
    <section aria-label="Details">
      <NativeSelect
        hiddenFrom="sm"
        label="Details"
        value={tab}
        data={TABS.map((value) => ({ value, label: labels[value] }))}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <Tabs value={tab} onChange={change} keepMounted={false}>
        <Tabs.List visibleFrom="sm">
          {TABS.map((value) => (
            <Tabs.Tab
              key={value}
              value={value}
              rightSection={value === "chain" ? <ChainBadge page={page} /> : null}
            >
              {labels[value]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className={classes.panel ?? ""}>
          <Panel tab={tab} page={page} />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}

/** Whether the hashes fit, as the server found when it made these data. */
export function ChainBadge({ page }: { readonly page: OperationPage }) {
  const { chain } = page;
  if (chain.verified) return <StateBadge family="chain" code="verified" />;
  return <StateBadge family="chain" code="broken" values={{ n: chain.seq }} />;
}

function Panel({ tab, page }: { readonly tab: Tab; readonly page: OperationPage }) {
  switch (tab) {
    case "evidence":
      return <EvidencePanel page={page} />;
    case "payload":
      return <PayloadPanel page={page} />;
    case "reads":
      return <ReadsPanel page={page} />;
    case "approvals":
      return <ApprovalsPanel page={page} />;
    case "events":
      return <EventsPanel page={page} />;
    case "chain":
      return <ChainPanel page={page} />;
  }
}
