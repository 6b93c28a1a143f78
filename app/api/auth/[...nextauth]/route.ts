import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions } from "@/app/_server/auth";

interface AuthContext {
  readonly params: Promise<{ nextauth: string[] }>;
}

async function handler(request: NextRequest, context: AuthContext): Promise<Response> {
  return NextAuth(request, context, authOptions());
}

export { handler as GET, handler as POST };
