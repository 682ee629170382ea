// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { AgentDetails, RuleView } from "../../app/bridge/agent-views.ts";
import { CALLS } from "../../app/bridge/calls.ts";
import { bridgeError } from "../../app/bridge/client-bridge.ts";
import { guardOf } from "../../app/contract/checked.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { sampleAgent } from "../agents/testing/sample-agent.ts";
import { useHost } from "../host-context.tsx";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { RuleRows } from "./rule-rows.tsx";

afterEach(cleanup);

const [sampleRule] = sampleAgent.rules;
if (sampleRule === undefined) throw new Error("the sample has a rule");
const ruleOf = (differs: Partial<RuleView>): RuleView => ({ ...sampleRule, ...differs });
const NOTES = ruleOf({
  rule_id: "rule-notes",
  covers: "read_file",
  subject: { kind: "path", path: "/home/me/Notes", names: "*.md" },
  effect: "allow",
  made_on: "call-3",
  last_used_at: 0,
  uses: 2,
});
/** It declares tools for files, the network and commands. */
const AGENT: AgentDetails = {
  ...sampleAgent,
  rules: [],
  grants: sampleAgent.grants.map((grant) => ({
    ...grant,
    scope: {
      ...grant.scope,
      tools: grant.scope.id === "filesystem:read" ? ["read_file", "list_directory"] : ["fetch_url"],
    },
  })),
};

function Failure() {
  return <output data-testid="failure">{useHost().failure}</output>;
}

function drawRules(rules: readonly RuleView[] = []) {
  const call = vi.fn<(name: string, args: object) => Promise<unknown>>(async () => null);
  // What a path field offers changes no rule.
  const answer = (name: string, args: object) =>
    name === "folders.complete" ? Promise.resolve([]) : call(name, args);
  drawInHost(
    <>
      <RuleRows agent={{ ...AGENT, rules }} partial={false} />
      <Failure />
    </>,
    { call: answer },
  );
  return call;
}

const press = (testId: string) =>
  act(async () => {
    fireEvent.click(screen.getByTestId(testId));
  });
const type = (testId: string, value: string) =>
  act(async () => {
    fireEvent.change(screen.getByTestId(testId), { target: { value } });
  });
/** As the browser's own list in a select does for assistive technology. */
const choose = (testId: string, value: string) =>
  act(async () => {
    const select = screen.getByTestId(testId).querySelector("select");
    if (select === null) throw new Error(`no list in ${testId}`);
    fireEvent.change(select, { target: { value } });
  });

test("each rule is said in plain words, with how long it lasts, its uses and where it was made", () => {
  drawRules([NOTES, sampleRule]);
  const [notes, git] = screen.getAllByTestId("rule-row").map((row) => row.textContent ?? "");
  expect(notes).toMatch(/^Allow.*\*\.md in Notes.*Always · used 2 times.*made on a request/);
  expect(git).toMatch(/^Deny.*Commands that begin with: \/usr\/bin\/git log.*not used yet · made /);
});

test("one is removed by its own button", async () => {
  const call = drawRules([NOTES, sampleRule]);
  const [notes] = screen.getAllByTestId("rule-row");
  if (notes === undefined) throw new Error("no row");
  await act(async () => {
    fireEvent.click(within(notes).getByTestId("remove-rule"));
  });
  const removed = { agent_id: "agent-1", rule_id: "rule-notes" };
  expect(call.mock.calls).toEqual([["rules.remove", removed]]);
});

test("those made on cards that differ in a file's name alone are one line, which ends each", async () => {
  const made = (name: string, differs: Partial<RuleView> = {}): RuleView =>
    ruleOf({
      rule_id: name,
      covers: "edit_file",
      effect: "allow",
      subject: { kind: "path", path: `/home/me/Notes/shop/src/${name}`, names: null },
      made_on: `call-${name}`,
      ...differs,
    });
  const call = drawRules([made("a"), made("b"), made("c", { made_on: null }), NOTES]);
  const together = screen.getByTestId("alike-rule-row");
  expect(together.textContent).toMatch(
    /Edit a file.*2 files or folders in Notes\/shop\/src.*Always/,
  );
  expect(screen.getAllByTestId("rule-row").length).toBe(2);
  await press("alike-each");
  expect(within(together).getAllByTestId("rule-row").length).toBe(2);
  await press("remove-rule-alike");
  await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(2));
  expect(call.mock.calls).toEqual(
    ["a", "b"].map((rule_id) => ["rules.remove", { agent_id: "agent-1", rule_id }]),
  );
});

test("a new one is what was filled in, and one that says nothing is not sent", async () => {
  const call = drawRules();
  await press("rule-new");
  await press("rule-save");
  expect(screen.getByTestId("rule-problem").textContent).not.toBe("");
  expect(call).not.toHaveBeenCalled();
  await choose("rule-effect", "deny");
  await type("rule-path", "/home/me/secret/");
  await type("rule-names", "*.key");
  await choose("rule-time", "minutes");
  await press("rule-save");
  const subject = { kind: "path", path: "/home/me/secret", names: "*.key" };
  const said = { covers: "read_file", subject, effect: "deny", time: "minutes" };
  expect(call.mock.calls).toEqual([["rules.add", { agent_id: "agent-1", ...said }]]);
  expect(screen.queryByTestId("rule-dialog")).toBe(null);
});

test("what can be filled in follows the tool, and a refused one says why and stays open", async () => {
  const call = drawRules();
  call.mockRejectedValueOnce(bridgeError("rule_too_wide"));
  await press("rule-new");
  await choose("rule-covers", "fetch_url");
  expect(screen.queryByTestId("rule-path")).toBe(null);
  await type("rule-host", "a.test:8443");
  await press("rule-save");
  const subject = { kind: "host", host: "a.test", port: 8443, method: "reading" };
  expect(call.mock.calls[0]?.[1]).toMatchObject({ covers: "fetch_url", subject });
  expect(screen.getByTestId("rule-problem").textContent).toContain("asks every time");
  expect(screen.getByTestId("rule-dialog")).toBeTruthy();
});

test("a changed one replaces itself, and begins with what it said", async () => {
  const call = drawRules([NOTES]);
  await press("rule-edit");
  expect(screen.getByTestId<HTMLInputElement>("rule-path").value).toBe("/home/me/Notes");
  expect(screen.getByTestId("rule-time").dataset.chosen).toBe("always");
  await type("rule-names", "");
  await press("rule-save");
  expect(call.mock.calls).toEqual([
    [
      "rules.add",
      {
        agent_id: "agent-1",
        covers: "read_file",
        subject: { kind: "path", path: "/home/me/Notes", names: null },
        effect: "allow",
        time: "always",
        replaces: "rule-notes",
      },
    ],
  ]);
});

test("a changed one that ends keeps its end unless another is chosen", async () => {
  const call = drawRules([ruleOf({ ...NOTES, ends_at: Date.parse("2026-03-01T16:22") })]);
  await press("rule-edit");
  expect(screen.getByTestId("rule-time").textContent).toMatch(/Until Mar 1, 2026.*\(unchanged\)/);
  await press("rule-save");
  expect(call.mock.calls).toMatchObject([
    ["rules.add", { time: "unchanged", replaces: "rule-notes" }],
  ]);
  await press("rule-edit");
  await choose("rule-time", "hours");
  await press("rule-save");
  expect(call).toHaveBeenLastCalledWith("rules.add", expect.objectContaining({ time: "hours" }));
});

test("what would be asked is said with the rule that decides, anew for another tool", async () => {
  const call = drawRules([NOTES]);
  call.mockResolvedValueOnce({ outcome: "allow", why: "rule", rule_id: "rule-notes" });
  await press("rule-test");
  await type("rule-test-about", "/home/me/Notes/a.md");
  await press("rule-test-go");
  const asked = { agent_id: "agent-1", tool_name: "read_file", about: "/home/me/Notes/a.md" };
  expect(call.mock.calls).toEqual([["rules.test", asked]]);
  const said = screen.getByTestId("rule-test-result");
  expect(said.textContent).toContain("It would be allowed without asking. This rule decides:");
  expect(said.textContent).toContain("Allow: *.md in /home/me/Notes");
  await type("rule-test-about", "/home/me/Notes/b.txt");
  expect(said.textContent).toBe("");
  call.mockResolvedValueOnce({ outcome: "ask", why: "nothing", rule_id: null });
  await press("rule-test-go");
  expect(said.textContent).not.toBe("");
  await choose("rule-test-tool", "fetch_url");
  expect(said.textContent).toBe("");
  call.mockRejectedValueOnce(bridgeError("rule_unusable"));
  await press("rule-test-go");
  expect(said.textContent).not.toBe("");
  expect(said.dataset.outcome).toBeUndefined();
});

test("an answer about what is no longer typed is not shown beside what is", async () => {
  const call = drawRules([NOTES]);
  const late = Promise.withResolvers<object>();
  call.mockReturnValueOnce(late.promise);
  await press("rule-test");
  await type("rule-test-about", "/home/me/Notes/a.md");
  await press("rule-test-go");
  await type("rule-test-about", "/home/me/secret");
  await act(async () => late.resolve({ outcome: "allow", why: "low", rule_id: null }));
  expect(screen.getByTestId("rule-test-result").textContent).toBe("");
});

const give = (file: File) =>
  act(async () => {
    const input = document.querySelector('input[type="file"]');
    if (input === null) throw new Error("nowhere to give a file");
    fireEvent.change(input, { target: { files: [file] } });
  });

test("rules from a file: how many were added and left out is said, and a file that is none is refused", async () => {
  const folder = (path: string) => ({ kind: "path", path, names: null }) as const;
  const own = { ...NOTES, rule_id: "rule-7", effect: "deny", subject: folder("/own") } as const;
  const call = drawRules([own]);
  const weaker = { covers: "read_file", subject: folder("/own/part"), effect: "allow" };
  const weakening = [{ ...weaker, stands: ["rule-7"] }];
  call.mockResolvedValueOnce({ added: 2, kept: 3, left_out: 1, weakening });
  await give(new File(["the file"], "rules.json"));
  await vi.waitFor(() => expect(call).toHaveBeenCalledOnce());
  expect(call.mock.calls).toEqual([["rules.import", { agent_id: "agent-1", text: "the file" }]]);
  const said = await screen.findByText("2 added, 3 already there, 1 left out.");
  const named = screen.getByTestId("rules-weakening").textContent;
  expect(named).toMatch(/Allow:.*\/own\/part,.*Deny, \/own,/);
  call.mockRejectedValueOnce(bridgeError("file_unusable"));
  await give(new File(["{}"], "rules.json"));
  await vi.waitFor(() => expect(screen.getByTestId("failure").textContent).toBe("file_unusable"));
  expect(said.textContent).toBe("");
  call.mockResolvedValueOnce({ added: 1, kept: 0, left_out: 0, weakening: [] });
  await give(new File(["the file"], "rules.json"));
  await vi.waitFor(() => expect(said.textContent).toContain("1 added"));
  expect(screen.getByTestId("failure").textContent).toBe("");
});

test("a save that failed is no longer said to have failed once another one did not", async () => {
  const call = drawRules([NOTES]);
  call.mockRejectedValueOnce(bridgeError("file_unwritable"));
  await press("rules-export");
  expect(screen.getByTestId("failure").textContent).toBe("file_unwritable");
  call.mockResolvedValueOnce({ kind: "saved", saved: 1, left_out: 0, weakening: [] });
  await press("rules-export");
  expect(screen.getByTestId("failure").textContent).toBe("");
});

test("rules that a file does not keep are counted once it is saved, with the reason", async () => {
  const call = drawRules([NOTES, sampleRule]);
  call.mockResolvedValueOnce({ kind: "saved", saved: 2, left_out: 0, weakening: [] });
  await press("rules-export");
  const said = screen.getByText("2 saved, 0 left out.");
  call.mockResolvedValueOnce({ kind: "saved", saved: 1, left_out: 1, weakening: [] });
  await press("rules-export");
  expect(said.textContent).toMatch(/^1 saved, 1 left out\. A file includes no rules/);
  call.mockResolvedValueOnce({ kind: "cancelled", saved: 1, left_out: 1, weakening: [] });
  await press("rules-export");
  expect(said.textContent).toBe("");
});

test("of a file that is too long for rules, the host is sent no more than it takes", async () => {
  const call = drawRules();
  await give(new File([" ".repeat(LIMITS.ruleFileBytes + 1)], "film.mp4"));
  await vi.waitFor(() => expect(call).toHaveBeenCalledOnce());
  const [[, args]] = call.mock.calls as [[string, unknown]];
  expect(guardOf(CALLS["rules.import"].args)(args)).toBe(true);
});

test("a file of rules that cannot be read is said to be that, and nothing is sent", async () => {
  const call = drawRules();
  const removed = new File([], "rules.json");
  removed.text = () => Promise.reject(new DOMException("removed", "NotFoundError"));
  await give(removed);
  expect(screen.getByTestId("failure").textContent).toBe("file_unreadable");
  expect(call).not.toHaveBeenCalled();
});
