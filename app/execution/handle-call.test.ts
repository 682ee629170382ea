import { describe, expect, it } from "vitest";
import { LIMITS } from "../contract/limits.ts";
import { ToolFailure } from "./ports.ts";
import { agentWith, ChainHarness, callTo } from "./testing/chain-harness.ts";

describe("the chain refuses, logs and runs nothing", () => {
  const cases: [
    string,
    (chain: ChainHarness) => Parameters<ChainHarness["handle"]>[0],
    object,
    string,
  ][] = [
    [
      "any call from a group conversation, before anything that could show a prompt",
      () => callTo("read_clipboard", { conversation_type: "group" }),
      { status: "denied", reason: "tool_not_supported_in_group" },
      "contract",
    ],
    [
      "a group call even for a tool nobody declared",
      () => callTo("launch_rocket", { conversation_type: "group" }),
      { status: "denied", reason: "tool_not_supported_in_group" },
      "contract",
    ],
    [
      "a tool that is not in the cached manifest",
      () => callTo("launch_rocket"),
      { status: "denied", reason: "tool_not_declared" },
      "contract",
    ],
    [
      "a call from an agent there is no relation with",
      () => callTo("read_clipboard", { agent_id: "stranger" }),
      { status: "denied", reason: "tool_not_declared" },
      "contract",
    ],
    [
      "a scope other than the one the manifest declares for the tool",
      () => callTo("read_clipboard", { scope: "notification:send" }),
      { status: "denied", reason: "scope_not_granted" },
      "contract",
    ],
    [
      "a scope that was never granted",
      (chain) => {
        chain.agent = agentWith({ grants: { "clipboard:read": undefined } });
        return callTo("read_clipboard");
      },
      { status: "denied", reason: "scope_not_granted" },
      "contract",
    ],
    [
      "a scope that waits for re-consent",
      (chain) => {
        chain.agent = agentWith({ grants: { "clipboard:read": "awaiting_reconsent" } });
        return callTo("read_clipboard");
      },
      { status: "denied", reason: "scope_not_granted" },
      "contract",
    ],
    [
      "a scope the person withdrew",
      (chain) => {
        chain.agent = agentWith({ grants: { "clipboard:read": "revoked" } });
        return callTo("read_clipboard");
      },
      { status: "denied", reason: "permission_revoked" },
      "contract",
    ],
    [
      "arguments the manifest's schema does not allow",
      (chain) => {
        chain.validation = "invalid";
        return callTo("read_clipboard");
      },
      { status: "error", error_code: "TOOL_INVALID_ARGUMENTS", reason: "schema_violation" },
      "contract",
    ],
    [
      "arguments the client's own schema does not allow, though the manifest's does",
      () => callTo("send_notification", { args: { title: "x".repeat(101) } }),
      { status: "error", error_code: "TOOL_INVALID_ARGUMENTS", reason: "schema_violation" },
      "contract",
    ],
    [
      "a schema that could not be decided in time",
      (chain) => {
        chain.validation = "undecided";
        return callTo("read_clipboard");
      },
      { status: "error", error_code: "TOOL_INVALID_ARGUMENTS", reason: "schema_undecided" },
      "contract",
    ],
    [
      "arguments that there was no time to check",
      (chain) => {
        chain.validation = "busy";
        return callTo("read_clipboard");
      },
      { status: "error", error_code: "TOOL_UNAVAILABLE", reason: "overloaded" },
      "contract",
    ],
    [
      "a schema that cannot be used",
      (chain) => {
        chain.validation = "unusable";
        return callTo("read_clipboard");
      },
      { status: "error", error_code: "TOOL_INVALID_ARGUMENTS", reason: "schema_unusable" },
      "contract",
    ],
    [
      "a tool this platform lacks",
      (chain) => {
        chain.toolAvailable = false;
        return callTo("read_clipboard");
      },
      { status: "error", error_code: "TOOL_UNAVAILABLE", reason: "not_on_this_platform" },
      "contract",
    ],
    [
      "a declared tool the catalogue does not have",
      (chain) => {
        chain.agent = agentWith({ toolScopes: { brew_tea: "kitchen:use" } });
        return callTo("brew_tea", { scope: "kitchen:use" });
      },
      { status: "error", error_code: "TOOL_UNAVAILABLE", reason: "not_on_this_platform" },
      "contract",
    ],
    [
      "a dangerous tool declared under a silent scope",
      (chain) => {
        chain.agent = agentWith({ toolScopes: { read_file: "notification:send" } });
        return callTo("read_file", { scope: "notification:send" });
      },
      { status: "error", error_code: "TOOL_UNAVAILABLE", reason: "scope_mismatch" },
      "contract",
    ],
    [
      "a path the tool itself can tell is out of bounds",
      (chain) => {
        chain.preflight = { kind: "refuse", word: "outside_roots" };
        return callTo("read_file");
      },
      { status: "error", error_code: "TOOL_PLATFORM_ERROR", reason: "outside_roots" },
      "contract",
    ],
  ];

  it.each(cases)("%s", async (_name, prepare, expected, decidedBy) => {
    const chain = new ChainHarness();
    const arrival = prepare(chain);
    const response = await chain.handle(arrival);
    expect(response).toMatchObject(expected);
    expect(chain.desk.waiting()).toEqual([]);
    expect(chain.ran).toEqual([]);
    expect(chain.outcomes()).toHaveLength(1);
    expect(chain.outcomes()[0]).toMatchObject({ ...expected, decided_by: decidedBy });
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
    const chain = new ChainHarness();
    chain.ledgerFails = true;
    const response = await chain.handle(callTo("send_notification"));
    expect(response).toMatchObject({
      error_code: "TOOL_PLATFORM_ERROR",
      reason: "audit_unavailable",
    });
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
    const chain = new ChainHarness();
    chain.ledgerFails = true;
    const heard: unknown[] = [];
    const arrival = { ...callTo("send_notification"), answering: (r: unknown) => heard.push(r) };
    const response = await chain.handle(arrival);
    expect(heard).toHaveLength(1);
    expect(heard).not.toContain(response);
  });
});

describe("running", () => {
  it.each([
    [undefined, undefined, 10_000],
    [5_000, undefined, 5_000],
    [60_000, undefined, 10_000],
    [60_000, 20_000, 20_000],
    [undefined, 20_000, 20_000],
    [999_999, 999_999, 300_000],
  ])("call %s and manifest %s give a limit of %s ms", async (call, manifest, limit) => {
    const chain = new ChainHarness();
    chain.agent = agentWith(manifest === undefined ? {} : { timeout_ms: manifest });
    chain.runs = (_args, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true }),
      );
    const shape = call === undefined ? {} : { timeout_ms: call };
    const response = chain.handle(callTo("send_notification", shape));
    await chain.settle();
    chain.time.pass(limit - 1);
    await chain.settle();
    expect(chain.outcomes()).toEqual([]);
    chain.time.pass(1);
    expect(await response).toMatchObject({
      error_code: "TOOL_PLATFORM_ERROR",
      reason: "tool_timeout",
    });
    expect(chain.ran[0]?.context.signal.aborted).toBe(true);
  });

  it("a tool's failure is its stable code, anything else is internal_error without its text", async () => {
    const chain = new ChainHarness();
    chain.runs = async () => {
      throw new ToolFailure("not_found");
    };
    expect(await chain.handle(callTo("send_notification"))).toMatchObject({ reason: "not_found" });
    chain.runs = async () => {
      throw new Error("password is hunter2");
    };
    const response = await chain.handle(callTo("send_notification"));
    expect(response).toMatchObject({ reason: "internal_error" });
    expect(JSON.stringify([response, chain.records])).not.toContain("hunter2");
  });

  it.each(["x", "é", "漢"])(
    "a result over 1 MiB of UTF-8 is too_large, one at it is not (%s)",
    async (unit) => {
      const chain = new ChainHarness();
      const bytes = new TextEncoder().encode(unit).byteLength;
      const fits = unit.repeat(Math.floor((LIMITS.resultBytes - 2) / bytes));
      chain.runs = async () => fits;
      expect(await chain.handle(callTo("send_notification"))).toMatchObject({ status: "ok" });
      chain.runs = async () => fits + unit;
      expect(await chain.handle(callTo("send_notification"))).toMatchObject({
        reason: "too_large",
      });
    },
  );
});
