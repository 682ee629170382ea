import { beforeAll, describe, expect, it } from "vitest";
import {
  hasClosedInternet,
  inClosedInternet,
  OWN_PUBLIC,
} from "../../../runtime/net/testing/closed-internet.ts";
import type { NameAnswer } from "../../../runtime/net/testing/name-server.ts";
import type { FetchCase, FetchOutcome } from "./testing/fetch-in-closed-internet.ts";

const PUBLIC = "93.184.215.14";
const PUBLIC_V6 = "2606:4700::1111";
const SCRIPT = new URL("./testing/fetch-in-closed-internet.ts", import.meta.url);

const at = (...addresses: string[]): NameAnswer => ({ addresses });
const alias = (aliases: readonly string[], ...addresses: string[]) => ({ aliases, addresses });
const many = Array.from({ length: 20 }, (_, index) => `93.184.215.${index + 1}`);

interface Case extends FetchCase, FetchOutcome {}

/** A name that is fetched once and resolves to nothing allowed. */
const refused = (answer: NameAnswer): Case => ({
  names: { "evil.test": [answer] },
  urls: ["http://evil.test/"],
  outcomes: ["access_denied"],
  connected: [],
  asked: ["evil.test"],
});

const CASES: Readonly<Record<string, Case>> = {
  "public first and inside after that: asked once, and what was checked is connected to": {
    names: { "evil.test": [at(PUBLIC), at("127.0.0.1")] },
    urls: ["http://evil.test/"],
    outcomes: ["reached"],
    connected: [PUBLIC],
    asked: ["evil.test"],
  },
  "inside by the second call": {
    names: { "evil.test": [at(PUBLIC), at("10.0.0.1")] },
    urls: ["http://evil.test/", "http://evil.test/"],
    outcomes: ["reached", "access_denied"],
    connected: [PUBLIC],
    asked: ["evil.test", "evil.test"],
  },
  "inside by the time it redirects to itself": {
    names: { "evil.test": [at(PUBLIC), at("127.0.0.1")] },
    urls: ["http://evil.test/?to=http://evil.test/"],
    outcomes: ["access_denied"],
    connected: [PUBLIC],
    asked: ["evil.test", "evil.test"],
  },
  "redirects to another name that is inside": {
    names: { "evil.test": [at(PUBLIC)], "inside.test": [at("192.168.0.1")] },
    urls: ["http://evil.test/?to=http://inside.test/"],
    outcomes: ["access_denied"],
    connected: [PUBLIC],
    asked: ["evil.test", "inside.test"],
  },
  "a public A beside an AAAA inside": refused(at(PUBLIC, "::1")),
  "a public AAAA beside an A inside": refused(at(PUBLIC_V6, "169.254.169.254")),
  "an AAAA that maps an IPv4 address": refused(at("::ffff:127.0.0.1")),
  "an AAAA that carries an IPv4 address through NAT64": refused(at("64:ff9b::7f00:1")),
  "no network at all": refused(at("0.0.0.0")),
  "a chain of aliases that ends inside": refused(
    alias(["a.test", "b.test", "c.test", "inside.test"], "10.0.0.1"),
  ),
  "an alias of localhost": refused(alias(["localhost"], "127.0.0.1")),
  "many public addresses, and one inside": refused(at(...many, "172.16.0.1")),
  "an address that is public, and this computer's own": refused(at(OWN_PUBLIC)),
  "a chain of aliases that ends at many public addresses": {
    names: { "fine.test": [alias(["a.test", "b.test"], ...many)] },
    urls: ["http://fine.test/"],
    outcomes: ["reached"],
    connected: [many[0] ?? ""],
    asked: ["fine.test"],
  },
};

// The system's own resolver asks a name server of the test's. All addresses it returns lead to a
// server of the test's, which reports the one used. Skipped where no such network can be made.
describe.skipIf(!hasClosedInternet)("a name (needs unshare, ip and user namespaces)", () => {
  const names = Object.keys(CASES);
  let found: readonly FetchOutcome[];

  beforeAll(async () => {
    const cases = names.map((name) => CASES[name]);
    found = (await inClosedInternet(SCRIPT, cases)) as readonly FetchOutcome[];
  });

  it.each(names)("%s", (name) => {
    const { outcomes, connected, asked } = CASES[name] ?? refused(at());
    expect(found[names.indexOf(name)]).toEqual({ outcomes, connected, asked });
  });
});
