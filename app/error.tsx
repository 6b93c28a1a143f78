"use client";

import { Button } from "@mantine/core";
import { PlainPage } from "@/components/frame/plain-page";

interface ErrorPageProps {
  readonly error: Error & { readonly digest?: string };
  reset(): void;
}

/** A page that could not be drawn. Says nothing about why: that stands in the log under the digest. */
export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <PlainPage title="This page could not be loaded">
      <div role="alert">
        <p>Nothing was changed.</p>
        {error.digest ? (
          <p>
            request <code>{error.digest}</code>
          </p>
        ) : null}
      </div>
      <Button variant="default" onClick={reset}>
        Try again
      </Button>
    </PlainPage>
  );
}
