import { describe, expect, it } from "vitest";
import { agentWith, ChainHarness, callTo } from "./testing/chain-harness.ts";

const readWhile = (state: "revoked" | "awaiting_reconsent" | undefined) => ({
  agent: agentWith({ grants: { "clipboard:read": state } }),
});
const READ = callTo("read_clipboard");

type Refused = readonly [
  what: string,
  reason: string,
  call: ReturnType<typeof callTo>,
  given?: Partial<ChainHarness>,
];

const DENIED: readonly Refused[] = [
  [
    "any call from a group conversation, before anything that could show a prompt",
    "tool_not_supported_in_group",
    callTo("read_clipboard", { conversation_type: "group" }),
  ],
  [
    "a group call even for a tool nobody declared",
    "tool_not_supported_in_group",
    callTo("launch_rocket", { conversation_type: "group" }),
  ],
  ["a tool that is not in the cached manifest", "tool_not_declared", callTo("launch_rocket")],
  [
    "a call from an agent there is no relation with",
    "tool_not_declared",
    callTo("read_clipboard", { agent_id: "stranger" }),
  ],
  [
    "a scope other than the one the manifest declares for the tool",
    "scope_not_granted",
    callTo("read_clipboard", { scope: "notification:send" }),
  ],
  ["a scope that was never granted", "scope_not_granted", READ, readWhile(undefined)],
  ["a scope that waits for re-consent", "scope_not_granted", READ, readWhile("awaiting_reconsent")],
  ["a scope the person withdrew", "permission_revoked", READ, readWhile("revoked")],
  ["an agent of another channel", "tool_not_declared", { ...READ, transport: "mcp" }],
  ["an agent whose keys are in doubt", "scope_not_granted", READ, { withheld: "keys_in_doubt" }],
  ["a suspended agent", "permission_revoked", READ, { withheld: "suspended" }],
];

const INVALID: readonly Refused[] = [
  [
    "arguments the manifest's schema does not allow",
    "schema_violation",
    READ,
    { validation: "invalid" },
  ],
  [
    "arguments the client's own schema does not allow, though the manifest's does",
    "schema_violation",
    callTo("send_notification", { args: { title: "x".repeat(101) } }),
  ],
  [
    "a schema that could not be decided in time",
    "schema_undecided",
    READ,
    { validation: "undecided" },
  ],
  ["a schema that cannot be used", "schema_unusable", READ, { validation: "unusable" }],
];

const UNAVAILABLE: readonly Refused[] = [
  ["arguments that there was no time to check", "overloaded", READ, { validation: "busy" }],
  ["a tool this platform lacks", "not_on_this_platform", READ, { toolAvailable: false }],
  [
    "a declared tool the catalogue does not have",
    "not_on_this_platform",
    callTo("brew_tea", { scope: "kitchen:use" }),
    { agent: agentWith({ toolScopes: { brew_tea: "kitchen:use" } }) },
  ],
  [
    "a dangerous tool declared under a silent scope",
    "scope_mismatch",
    callTo("read_file", { scope: "notification:send" }),
    { agent: agentWith({ toolScopes: { read_file: "notification:send" } }) },
  ],
  [
    "a tool of ours declared as one that the agent carries out itself",
    "scope_mismatch",
    callTo("run_command", {
      scope: "agent:command",
      args: { line: "npm test", shell: "sh", directory: "/p" },
    }),
    { agent: agentWith({ toolScopes: { run_command: "agent:command" } }) },
  ],
];

const FAILED: readonly Refused[] = [
  [
    "a path the tool itself can tell is out of bounds",
    "outside_roots",
    callTo("read_file"),
    { preflight: { kind: "refuse", word: "outside_roots" } },
  ],
];

it.each([
  [
    "the manifest's schema",
    READ,
    { validation: "invalid" } as const,
    { pointer: "/path", keyword: "type" },
  ],
  [
    "the client's own schema",
    callTo("send_notification", { args: { title: "x".repeat(101) } }),
    {},
    { pointer: "/title", keyword: "maxLength" },
  ],
])(
  "the agent is told where its arguments break %s, and the log is not",
  async (_, call, given, violation) => {
    const chain = new ChainHarness(given);
    expect(await chain.handle(call)).toMatchObject({ reason: "schema_violation", violation });
    expect(JSON.stringify(chain.records)).not.toContain(violation.keyword);
  },
);

describe("the chain refuses, logs and runs nothing", () => {
  describe.each<readonly [object, readonly Refused[]]>([
    [{ status: "denied" }, DENIED],
    [{ status: "error", error_code: "TOOL_INVALID_ARGUMENTS" }, INVALID],
    [{ status: "error", error_code: "TOOL_UNAVAILABLE" }, UNAVAILABLE],
    [{ status: "error", error_code: "TOOL_PLATFORM_ERROR" }, FAILED],
  ])("with %j:", (kind, cases) => {
    it.for(cases)("%s", async ([, reason, call, given]) => {
      const chain = new ChainHarness(given);
      expect(await chain.handle(call)).toMatchObject({ ...kind, reason });
      expect([chain.cards, chain.ran]).toEqual([[], []]);
      expect(chain.outcomes()).toMatchObject([{ ...kind, reason, decided_by: "contract" }]);
      expect(chain.records).toHaveLength(1);
    });
  });

  it("a payload that is not a call, under its message's id and with its digest", async () => {
    const chain = new ChainHarness();
    const { decoded: _decoded, ...about } = callTo("read_clipboard");
    const malformed = {
      call_id: "message-7",
      tool_name: null,
      permission_scope: null,
      payload_digest: "ab".repeat(32),
      refusal: {
        status: "error" as const,
        error_code: "TOOL_INVALID_ARGUMENTS" as const,
        reason: "malformed_json" as const,
      },
    };
    const response = await chain.handle({ ...about, decoded: { kind: "malformed", malformed } });
    expect(response).toEqual({ call_id: "message-7", ...malformed.refusal });
    expect(chain.outcomes()).toMatchObject([
      { call_id: "message-7", arguments_digest: "ab".repeat(32) },
    ]);
  });
});

describe("the order of durability", () => {
  it("intent, then the tool, then the outcome, then the response", async () => {
    const chain = new ChainHarness();
    await chain.handle(callTo("send_notification", { call_id: "a" }));
    expect(chain.journal).toEqual(["intent a", "run send_notification", "outcome a ok"]);
  });

  it("nothing runs when the log cannot be written", async () => {
    const chain = new ChainHarness({ ledgerFails: true });
    expect(await chain.handle(callTo("send_notification"))).toMatchObject({
      error_code: "TOOL_PLATFORM_ERROR",
      reason: "audit_unavailable",
    });
    expect(chain.ran).toEqual([]);
  });

  it("nobody is asked while it is known that the log cannot be written", async () => {
    const chain = new ChainHarness({ ledgerKnownFull: true });
    expect(await chain.handle(callTo("write_clipboard"))).toMatchObject({
      reason: "audit_unavailable",
    });
    expect(chain.cards).toEqual([]);
    expect(chain.outcomes()).toMatchObject([{ reason: "audit_unavailable" }]);
  });

  it("what was asked about before it was known does not run, even when it is allowed", async () => {
    const chain = new ChainHarness();
    const { response } = await chain.start("write_clipboard");
    chain.ledgerKnownFull = true;
    await chain.answer("allow_once");
    expect(await response).toMatchObject({ reason: "audit_unavailable" });
    expect(chain.ran).toEqual([]);
  });

  it("a result is withheld when its outcome cannot be recorded", async () => {
    const chain = new ChainHarness();
    chain.runs = async () => {
      chain.ledgerFails = true;
      return { secret: 1 };
    };
    const response = await chain.handle(callTo("send_notification"));
    expect(response).toMatchObject({ status: "error", reason: "audit_unavailable" });
    expect(JSON.stringify(response)).not.toContain("secret");
  });

  it("the channel gets the answer while its outcome is being recorded, and then the same one", async () => {
    const chain = new ChainHarness();
    const heard: unknown[] = [];
    const answering = (response: unknown) => heard.push(response, chain.journal.at(-1));
    const arrival = { ...callTo("send_notification", { call_id: "a" }), answering };
    const response = await chain.handle(arrival);
    expect(heard).toEqual([response, "outcome a ok"]);
    expect(heard[0]).toBe(response);
  });

  it("an announced answer that could not be recorded is not the one that is sent", async () => {
    const chain = new ChainHarness({ ledgerFails: true });
    const heard: unknown[] = [];
    const arrival = { ...callTo("send_notification"), answering: (r: unknown) => heard.push(r) };
    const response = await chain.handle(arrival);
    expect(heard).toHaveLength(1);
    expect(heard).not.toContain(response);
  });
});
