"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import { useState } from "react";
import classes from "@/app/t/[tenant]/settings/connections/connections.module.css";
import { getJson, postJson } from "@/components/api-call";

interface TestConnectionProps {
  readonly tenant: string;
  readonly url: string;
  again(): void;
}

type Test =
  | { readonly state: "idle" | "reading" }
  | { readonly state: "ended"; readonly sentence: string; readonly requestRef: string | null };

const WAIT_MS = 15_000;
const LOOK_EVERY_MS = 400;

const OUTCOMES: Readonly<Record<string, string>> = {
  read: "The platform answered and takes our credentials.",
  not_found: 'The platform answers "not found". It takes our credentials.',
  declined: "The platform declined to answer now.",
  unreadable: "The platform's answer could not be read, or none came.",
};

/** Has a worker read one request: nothing is changed, and the console needs no credential (PL-1). */
export function TestConnection({ tenant, url, again }: TestConnectionProps) {
  const [test, setTest] = useState<Test>({ state: "idle" });
  const start = async () => {
    setTest({ state: "reading" });
    setTest(await tried(tenant, url));
    again();
  };
  return (
    <div className={classes.actions}>
      <Button variant="default" loading={test.state === "reading"} onClick={() => void start()}>
        Test connection
      </Button>
      <span role="status">
        {test.state === "ended" ? test.sentence : null}{" "}
        {test.state === "ended" && test.requestRef !== null ? (
          <Link href={`/t/${tenant}/requests/${test.requestRef}?tab=reads`}>
            Read of {test.requestRef}
          </Link>
        ) : null}
        {test.state === "idle" ? "One read of one request. Changes nothing there." : null}
      </span>
    </div>
  );
}

async function tried(tenant: string, url: string): Promise<Test> {
  const ended = (sentence: string, requestRef: string | null = null): Test => ({
    state: "ended",
    sentence,
    requestRef,
  });
  const order = await postJson<{ orderId: string; requestRef: string }>(`${url}/tests`, {});
  if (order.kind === "refused") return ended(order.problem.detail);
  if (order.kind === "lost") return ended("We did not hear back. Try again.");
  const { orderId, requestRef } = order.data;
  const until = performance.now() + WAIT_MS;
  while (performance.now() < until) {
    const found = await getJson<{ outcome: string | null }>(
      `/api/v1/t/${tenant}/read-orders/${orderId}`,
    );
    if (found.kind === "ok" && found.data.outcome !== null) {
      return ended(OUTCOMES[found.data.outcome] ?? found.data.outcome, requestRef);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return ended("No answer yet. The read stays ordered and shows up with the request.", requestRef);
}
