import { describe, expect, it } from "vitest";
import { CATALOGUE, catalogueEntry } from "../../../app/contract/catalogue.ts";
import { agentWith, ChainHarness, callTo } from "../../../app/execution/testing/chain-harness.ts";
import { decidedOnly } from "../../channels/hooks/hook-channel.ts";
import { programFile } from "./test-call.ts";
import {
  by,
  files,
  high,
  host,
  OWN,
  OWN_PORT,
  root,
  TOOLS,
  testedIn,
  without,
  withRules,
} from "./testing/tested-rules.ts";

describe("what the page says of a place", () => {
  it.each([
    ["everyday", without("ask", "folder")],
    ["hands_off", without("deny", "profile")],
  ] as const)("no rule opens a folder (%s)", async (profile, told) => {
    const rules = [{ subject: files("/p") }, high];
    const { chain, said } = withRules(rules, profile, { roots: [] });
    expect(await said("read_file", "/p/a")).toEqual(told);
    chain.preflight = { kind: "root_wanted", suggested_path: "/p", access: "read" };
    void chain.handle(callTo("read_file", { args: { path: "/p/a" } }));
    await chain.settle();
    expect(chain.cards).toHaveLength(told.outcome === "ask" ? 1 : 0);
    const toRead = withRules(rules, profile, { roots: [root("/p", "read")] });
    expect(await toRead.said("read_file", "/p/a")).toEqual(by("allow"));
    expect(await toRead.said("write_file", "/p/a")).toEqual(told);
  });

  it("an agent that has other folders is not asked about, whatever the rules say", async () => {
    const { said } = withRules([{ subject: files("/p") }], "everyday", { roots: [root("/q")] });
    expect(await said("read_file", "/p/a")).toEqual(without("deny", "outside"));
  });

  it.each([
    ["read_file", `${OWN}/a`, "outside"],
    ["fetch_url", `http://localhost:${OWN_PORT}/`, "address"],
    ["fetch_url", `localhost:${OWN_PORT}`, "address"],
  ] as const)("what no agent may reach is not asked about: %s of %s", async (tool, about, why) => {
    const { said } = withRules([{ subject: files(OWN) }], "everyday", { roots: [root(OWN)] });
    expect(await said(tool, about)).toEqual(without("deny", why));
  });

  it.each([
    ["a.test", by("allow")],
    ["a.test:443", by("allow")],
    [" A.test/x ", by("allow")],
    ["a.test:8443", without("ask", "nothing")],
    ["http://a.test", without("ask", "nothing")],
    ["localhost:8080", without("ask", "host")],
  ])("an address is understood as a rule's host is: %s", async (about, told) => {
    const { said } = withRules([{ covers: "fetch_url", subject: host }]);
    expect(await said("fetch_url", about)).toEqual(told);
  });

  it.each([...CATALOGUE.values()].filter(({ needsRoot }) => needsRoot).map(({ name }) => name))(
    "%s is asked about with its own folders and refused outside of them",
    async (tool) => {
      const toolScopes = { [tool]: catalogueEntry(tool)?.scope ?? "" };
      const agent = { ...agentWith({ toolScopes }), roots: [root("/p")] };
      const test = testedIn(new ChainHarness({ agent }));
      const said = async (about: string) => (await test(tool, about)).why;
      if (tool === "run_command") return expect(await said("env")).toBe("nothing");
      expect(await said("/p/a/b")).toBe("nothing");
      expect(await said("/q/a")).toBe("outside");
    },
  );

  it("a command needs a folder, and a host of the own network has to be allowed", async () => {
    const program = await programFile("env");
    if (program === null) throw new Error("no env");
    const subject = { kind: "command" as const, program, begins: [] };
    const near = { ...host, host: "nas.local" };
    const rules = [
      { covers: "run_command", answers_high: true, subject },
      { covers: "fetch_url", subject: near },
    ];
    const { chain, said } = withRules(rules, "everyday", { roots: [root("/p", "read")] });
    expect(await said("run_command", "env")).toEqual(without("ask", "folder"));
    expect(await said("fetch_url", "https://nas.local/")).toEqual(without("ask", "host"));
    chain.agent = { ...chain.agent, hosts: [{ host: "nas.local", port: 443, added_at: 0 }] };
    expect(await said("fetch_url", "https://nas.local/")).toEqual(by("allow", "rule-1"));
  });

  it("an agent that carries its calls out itself needs no folder of ours", async () => {
    const has = {
      roots: [],
      tools: decidedOnly(TOOLS, { agrees: async () => true, programs: async () => [] }),
    };
    const command = { kind: "command" as const, program: "/usr/bin/env", begins: [] };
    const rules = [
      { subject: files("/p") },
      { covers: "run_command", answers_high: true, subject: command },
    ];
    const { said } = withRules(rules, "everyday", has);
    expect(await said("read_file", "/p/a")).toEqual(by("allow"));
    // Nobody knows whether it runs commands in a sandbox.
    expect(await said("run_command", "/usr/bin/env")).toEqual(without("ask", "nothing"));
  });
});
