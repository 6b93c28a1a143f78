import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Whether a request may see the metrics: with the bearer token where one is set; without one only from this machine,
 * which the caller finds out.
 */
export function mayScrape(
  token: string | undefined,
  authorization: string | null | undefined,
  fromThisMachine: boolean,
): boolean {
  if (token === undefined) return fromThisMachine;
  const given = /^Bearer (\S+)$/i.exec(authorization ?? "")?.[1];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** True for an address of this machine's own loopback network, as sockets and headers spell it. */
export function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(address) || address === "::1";
}

/** True for a host name or address, with or without a port, that only means this machine. */
export function isLocalHost(host: string): boolean {
  const name = host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  return name === "localhost" || isLoopback(name);
}
