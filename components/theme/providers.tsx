"use client";

import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ReactNode, useEffect, useState } from "react";
import { cssVariables, theme } from "./theme";

interface ProvidersProps {
  /** The nonce of this page's content security policy; styles made in the browser need it. */
  readonly nonce: string;
  readonly children: ReactNode;
}

/** What every page needs around it: look, server state, addresses, toasts. */
export function Providers({ nonce, children }: ProvidersProps) {
  const [queries] = useState(() => {
    // Scroll locks of dialogs put a style element into the page and ask for its nonce here.
    setNonce(nonce);
    return new QueryClient({ defaultOptions: { queries: { retry: false } } });
  });
  // For whoever drives a page by a program: what is done to it before this is lost.
  useEffect(() => {
    document.documentElement.dataset.listens = "yes";
  }, []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <NuqsAdapter>
          <Notifications position="bottom-right" autoClose={4000} />
          {children}
        </NuqsAdapter>
      </QueryClientProvider>
    </MantineProvider>
  );
}
