"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Role } from "@/lib/domain/role";

export interface FrameFacts {
  readonly tenant: { readonly slug: string; readonly name: string };
  readonly role: Role;
  readonly account: { readonly id: string; readonly login: string; readonly zone: string };
}

const FrameContext = createContext<FrameFacts | null>(null);

/** Who looks at which tenant; read from the database for the page's request. */
export function FrameFactsProvider(props: {
  readonly facts: FrameFacts;
  readonly children: ReactNode;
}) {
  return <FrameContext value={props.facts}>{props.children}</FrameContext>;
}

/** The tenant, role and account of the frame around. Only inside a tenant's pages. */
export function useFrame(): FrameFacts {
  const facts = useContext(FrameContext);
  if (facts === null) throw new Error("useFrame needs the frame of a tenant");
  return facts;
}
