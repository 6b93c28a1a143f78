"use client";

import { Button } from "@mantine/core";
import { signOut } from "next-auth/react";

/** Ends the session on the server and goes to sign-in. */
export function SignOutButton() {
  return (
    <Button variant="default" size="xs" onClick={() => void signOut({ callbackUrl: "/sign-in" })}>
      Sign out
    </Button>
  );
}
