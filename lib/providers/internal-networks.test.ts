import { expect, test } from "vitest";
import { isInternalAddress, namesInternalAddress, targetOf } from "./internal-networks";

test("OB-1: loopback, private, link-local, shared, multicast and documentation addresses are internal, in both families", () => {
  for (const address of [
    "127.0.0.1",
    "127.255.255.254",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "198.18.0.1",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "fd12:3456::1",
    "ff02::1",
    "2001:db8::1",
    "not an address",
    "",
  ]) {
    expect([address, isInternalAddress(address)]).toEqual([address, true]);
  }
});

test("OB-1: every form of IPv6 that wraps an IPv4 address is refused, whatever it wraps", () => {
  for (const address of [
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:8.8.8.8",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "2002:7f00:1::1",
    "2001:0:4136:e378::1",
  ]) {
    expect([address, isInternalAddress(address)]).toEqual([address, true]);
  }
});

test("OB-1: public addresses are not internal", () => {
  for (const address of ["8.8.8.8", "172.32.0.1", "172.15.255.255", "2606:4700::1111", "2a00::1"]) {
    expect([address, isInternalAddress(address)]).toEqual([address, false]);
  }
});

test("OB-1: an address that is written in another way is still seen for what it is", () => {
  for (const url of [
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://LOCALHOST/",
    "https://a.localhost/",
    "https://metadata.google.internal/",
  ]) {
    expect([url, namesInternalAddress(new URL(url))]).toEqual([url, true]);
  }
  expect(namesInternalAddress(new URL("https://books.example/hook"))).toBe(false);
  expect(targetOf(new URL("http://[::1]/x"))).toBe("::1:80");
  expect(targetOf(new URL("https://Books.example/x"))).toBe("books.example:443");
});
