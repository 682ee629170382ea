import { expect, it } from "vitest";
import { hostText } from "../../../app/contract/network-host.ts";
import { readHosts } from "./read-hosts.ts";

it.each([
  ["nas:8080", ["nas:8080"]],
  ["nas:80", ["nas:80"]],
  ["nas:443", ["nas:443"]],
  ["NAS", ["nas:80", "nas:443"]],
  ["  printer.local ", ["printer.local:80", "printer.local:443"]],
  ["http://nas", ["nas:80"]],
  ["HTTPS://nas/", ["nas:443"]],
  ["https://nas:8443/", ["nas:8443"]],
  ["0x7f.1:8099", ["127.0.0.1:8099"]],
  ["::1", ["[::1]:80", "[::1]:443"]],
  ["[FD00::1]:631", ["[fd00::1]:631"]],
  ["::ffff:10.0.0.1", ["[::ffff:a00:1]:80", "[::ffff:a00:1]:443"]],
  ["b\u00fccher.local:1", ["xn--bcher-kva.local:1"]],
])("reads %j as %j", (typed, hosts) => {
  expect(readHosts(typed).map(hostText)).toEqual(hosts);
});

it.each([
  "",
  "http://",
  "http://nas/path",
  "ftp://nas",
  "nas/path",
  "nas:0",
  "nas:65536",
  "nas:",
  "nas:80:80",
  "a@nas",
  "nas.",
  "a b",
  "1.2.3.4.5",
  "[::1",
  "nas\\x",
  "nas?x",
  "%00",
])("takes %j for no host", (typed) => {
  expect(readHosts(typed)).toEqual([]);
});
