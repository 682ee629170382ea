import { expect, it } from "vitest";
import { hostText, type NetworkHost } from "../../../app/contract/network-host.ts";
import { checkTarget } from "./follow.ts";

const never = (): boolean => false;

it.each([
  ["http://example.com", "http://example.com/"],
  ["HTTPS://EXAMPLE.com:443/a?b#c", "https://example.com/a?b"],
  ["https://example.com:8443/", "https://example.com:8443/"],
  ["http://8.8.8.8/", "http://8.8.8.8/"],
  ["http://[2606:4700::1111]/", "http://[2606:4700::1111]/"],
  ["http://localhost.example.com/", "http://localhost.example.com/"],
])("takes %s", (text, href) => {
  expect(checkTarget(text, null, never)?.href).toBe(href);
});

it.each([
  ...["", "example.com", "//example.com", "/path", "http:", "http://", "http://exa mple.com"],
  ...["file:///etc/passwd", "ftp://example.com", "data:,x", "javascript:1", "blob:http://e.com/1"],
  ...["ws://example.com", "about:blank", "view-source:http://example.com", "jar:http://e.com!/"],
  ...["http://me@example.com", "http://me:secret@example.com", "http://:x@example.com"],
  ...["http://example.com:0", "http://example.com:22", "http://example.com:25"],
  ...["http://example.com:6667", "http://example.com:65536", "http://example.com:-1"],
  ...["http://localhost", "http://LOCALHOST:8080", "http://a.localhost", "http://localhost."],
  ...["http://a.b.localhost./", "http://example.com./", "http://127.0.0.1./", "http://./"],
  ...["http://127.0.0.1", "http://127.1", "http://0", "http://2130706433", "http://0x7f.1"],
  ...["http://0177.0.0.1", "http://017700000001", "http://127.0.0.1.nip.0x1", "http://1.2.3.999"],
  ...["http://①②⑦.⓪.⓪.①", "http://loc%61lhost", "http://ⓛocalhost", "http://169.254.169.254"],
  ...["http://[::1]", "http://[::]", "http://[::ffff:127.0.0.1]", "http://[fe80::1]"],
  ...["http://[fe80::1%25eth0]", "http://[fe80::1%eth0]", "http://[64:ff9b::7f00:1]"],
  ...["http://\\127.0.0.1", "http:127.0.0.1", "http:/\\127.0.0.1", "\thttp://127.0.0.1\n"],
  ...["http://example.com@127.0.0.1", "http://127.0.0.1#@example.com", "http://127.0.0.1\\@e.com"],
])("refuses %j", (text) => {
  expect(checkTarget(text, null, never)).toBeNull();
});

it("takes a refused host that was allowed, and no other, and its ports stay refused", () => {
  const asked: string[] = [];
  const given = ["127.0.0.1:8080", "[::1]:80", "localhost:80"];
  const allowed = (host: NetworkHost): boolean => {
    asked.push(hostText(host));
    return given.includes(hostText(host));
  };
  expect(checkTarget("http://0x7f.1:8080/", null, allowed)?.href).toBe("http://127.0.0.1:8080/");
  expect(checkTarget("http://[0::1]/", null, allowed)?.href).toBe("http://[::1]/");
  expect(checkTarget("http://LocalHost/", null, allowed)?.href).toBe("http://localhost/");
  const others = ["http://127.0.0.2:8080/", "http://x.localhost/", "https://localhost/"];
  for (const refused of others) {
    expect(checkTarget(refused, null, allowed)).toBeNull();
  }
  expect(asked).toEqual([...given, "127.0.0.2:8080", "x.localhost:80", "localhost:443"]);
  for (const refused of ["http://127.0.0.1:22/", "http://a@127.0.0.1/", "http://localhost./"]) {
    expect(checkTarget(refused, null, allowed)).toBeNull();
  }
});

it("reads what a redirect says against where it came from", () => {
  const base = new URL("https://example.com/a/b");
  expect(checkTarget("../c", base, never)?.href).toBe("https://example.com/c");
  expect(checkTarget("//other.example/", base, never)?.href).toBe("https://other.example/");
  for (const refused of ["//127.0.0.1/", "//me@example.com/", "file:///x", "\\\\localhost\\x"]) {
    expect(checkTarget(refused, base, never)).toBeNull();
  }
});
