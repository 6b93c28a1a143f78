import { type NextRequest, NextResponse } from "next/server";

/**
 * A content security policy with a fresh nonce for every page (PV-6), and the path of the request for those parts
 * of a page that have to send a visitor to sign in and back. It decides nothing about access: pages and routes do.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID());
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("x-deadline-path", `${request.nextUrl.pathname}${request.nextUrl.search}`);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

function contentSecurityPolicy(nonce: string): string {
  const development = process.env.NODE_ENV === "development";
  // Next's development tools evaluate text and add styles without a nonce; the built console never does.
  const script = `'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`;
  const style = development ? "'unsafe-inline'" : `'nonce-${nonce}'`;
  return [
    "default-src 'self'",
    `script-src 'self' ${script}`,
    `style-src-elem 'self' ${style}`,
    // Mantine and React write style attributes on the server.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export const config = {
  matcher: [
    { source: "/((?!api/|_next/static|_next/image|favicon.ico|health$|ready$|metrics$).*)" },
  ],
};
