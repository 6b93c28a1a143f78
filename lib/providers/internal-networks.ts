import { BlockList, isIP } from "node:net";

/** IPv4 networks that lead into somebody's own network, to this machine or to nobody (IANA's special registry). */
const IPV4_INTERNAL: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Parts of IPv6's public range that carry an IPv4 address inside or lead to nobody. */
const IPV6_INTERNAL: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const refused = new BlockList();
for (const [network, prefix] of IPV4_INTERNAL) refused.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of IPV6_INTERNAL) refused.addSubnet(network, prefix, "ipv6");

/** The only range out of which public IPv6 addresses are given. All else, mapped IPv4 included, is refused. */
const publicIpv6 = new BlockList();
publicIpv6.addSubnet("2000::", 3, "ipv6");

/**
 * True for an address to which nothing of ours is ever sent: loopback, private, link-local, multicast, and every form
 * of IPv6 that wraps an IPv4 address. Also true for text that is no address.
 */
export function isInternalAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return refused.check(address, "ipv4");
    case 6:
      return !publicIpv6.check(address, "ipv6") || refused.check(address, "ipv6");
    default:
      return true;
  }
}

/** `host:port` of an address in lower case, with the port that the scheme implies and IPv6 without brackets. */
export function targetOf(url: URL): string {
  return `${hostOf(url)}:${url.port || (url.protocol === "http:" ? "80" : "443")}`;
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
}

/** True when an address names an internal network by itself; a name is only known when it is resolved. */
export function namesInternalAddress(url: URL): boolean {
  const host = hostOf(url);
  if (isIP(host) !== 0) return isInternalAddress(host);
  return host === "localhost" || host.endsWith(".localhost") || host.endsWith(".internal");
}
