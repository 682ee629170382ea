import { expect, it } from "vitest";
import { readHost } from "./read-host.ts";

it.each([
  ["NAS", "nas"],
  ["  printer.local ", "printer.local"],
  ["192.168.1.5", "192.168.1.5"],
  ["0x7f.1", "127.0.0.1"],
  ["::1", "::1"],
  ["[FD00::1]", "fd00::1"],
  ["::ffff:10.0.0.1", "::ffff:a00:1"],
  ["b\u00fccher.local", "xn--bcher-kva.local"],
])("reads %j as the host %j", (typed, host) => {
  expect(readHost(typed)).toBe(host);
});

it.each([
  [""],
  ["http://nas/"],
  ["nas:8080"],
  ["nas/path"],
  ["a@nas"],
  ["nas."],
  ["a b"],
  ["1.2.3.4.5"],
  ["[::1"],
  ["[::1]:80"],
  ["nas\\x"],
  ["nas?x"],
  ["%00"],
])("takes %j for no host", (typed) => {
  expect(readHost(typed)).toBeNull();
});
