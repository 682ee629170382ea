import { describe, expect, it } from "vitest";
import { LIMITS } from "../contract/limits.ts";
import { ToolFailure } from "./ports.ts";
import { agentWith, callTo, House } from "./testing/house.ts";

describe("the chain refuses, logs and runs nothing", () => {
  const cases: [string, (house: House) => Parameters<House["handle"]>[0], object, string][] = [
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
      (house) => {
        house.agent = agentWith({ grants: { "clipboard:read": undefined } });
        return callTo("read_clipboard");
      },
      { status: "denied", reason: "scope_not_granted" },
      "contract",
    ],
    [
      "a scope that waits for re-consent",
      (house) => {
        house.agent = agentWith({ grants: { "clipboard:read": "awaiting_reconsent" } });
        return callTo("read_clipboard");
      },
      { status: "denied", reason: "scope_not_granted" },
      "contract",
    ],
    [
      "a scope the person withdrew",
      (house) => {
        house.agent = agentWith({ grants: { "clipboard:read": "revoked" } });
        return callTo("read_clipboard");
      },
      { status: "denied", reason: "permission_revoked" },
      "contract",
    ],
    [
      "arguments the manifest's schema does not allow",
      (house) => {
        house.validation = "invalid";
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
      (house) => {
        house.validation = "undecided";
        return callTo("read_clipboard");
      },
      { status: "error", error_code: "TOOL_INVALID_ARGUMENTS", reason: "schema_undecided" },
      "contract",
    ],
    [
      "arguments that there was no time to check",
      (house) => {
        house.validation = "busy";
        return callTo("read_clipboard");
      },
      { status: "error", error_code: "TOOL_UNAVAILABLE", reason: "overloaded" },
      "contract",
    ],
    [
      "a schema that cannot be used",
      (house) => {
        house.validation = "unusable";
        return callTo("read_clipboard");
      },
      { status: "error", error_code: "TOOL_INVALID_ARGUMENTS", reason: "schema_unusable" },
      "contract",
    ],
    [
      "a tool this platform lacks",
      (house) => {
        house.toolAvailable = false;
        return callTo("read_clipboard");
      },
      { status: "error", error_code: "TOOL_UNAVAILABLE", reason: "not_on_this_platform" },
      "contract",
    ],
    [
      "a declared tool the catalogue does not have",
      (house) => {
        house.agent = agentWith({ toolScopes: { brew_tea: "kitchen:use" } });
        return callTo("brew_tea", { scope: "kitchen:use" });
      },
      { status: "error", error_code: "TOOL_UNAVAILABLE", reason: "not_on_this_platform" },
      "contract",
    ],
    [
      "a dangerous tool declared under a silent scope",
      (house) => {
        house.agent = agentWith({ toolScopes: { read_file: "notification:send" } });
        return callTo("read_file", { scope: "notification:send" });
      },
      { status: "error", error_code: "TOOL_UNAVAILABLE", reason: "scope_mismatch" },
      "contract",
    ],
    [
      "a path the tool itself can tell is out of bounds",
      (house) => {
        house.preflight = { kind: "refuse", word: "outside_roots" };
        return callTo("read_file");
      },
      { status: "error", error_code: "TOOL_PLATFORM_ERROR", reason: "outside_roots" },
      "contract",
    ],
  ];

  it.each(cases)("%s", async (_name, prepare, expected, decidedBy) => {
    const house = new House();
    const arrival = prepare(house);
    const response = await house.handle(arrival);
    expect(response).toMatchObject(expected);
    expect(house.desk.waiting()).toEqual([]);
    expect(house.ran).toEqual([]);
    expect(house.outcomes()).toHaveLength(1);
    expect(house.outcomes()[0]).toMatchObject({ ...expected, decided_by: decidedBy });
  });

  it("a payload that is no call, under its message's id and with its digest", async () => {
    const house = new House();
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
    const response = await house.handle({ ...about, decoded: { kind: "malformed", malformed } });
    expect(response).toEqual({ call_id: "message-7", ...malformed.refusal });
    expect(house.outcomes()).toMatchObject([
      { call_id: "message-7", arguments_digest: "ab".repeat(32) },
    ]);
  });
});

describe("the order of durability", () => {
  it("intent, then the tool, then the outcome, then the response", async () => {
    const house = new House();
    await house.handle(callTo("send_notification", { call_id: "a" }));
    expect(house.journal).toEqual(["intent a", "run send_notification", "outcome a ok"]);
  });

  it("nothing runs when the log cannot be written", async () => {
    const house = new House();
    house.ledgerFails = true;
    const response = await house.handle(callTo("send_notification"));
    expect(response).toMatchObject({
      error_code: "TOOL_PLATFORM_ERROR",
      reason: "audit_unavailable",
    });
    expect(house.ran).toEqual([]);
  });

  it("a result is withheld when its outcome cannot be recorded", async () => {
    const house = new House();
    house.runs = async () => {
      house.ledgerFails = true;
      return { secret: 1 };
    };
    const response = await house.handle(callTo("send_notification"));
    expect(response).toMatchObject({ status: "error", reason: "audit_unavailable" });
    expect(JSON.stringify(response)).not.toContain("secret");
  });

  it("the channel hears the answer once its outcome is on the way, and gets that very one", async () => {
    const house = new House();
    const heard: unknown[] = [];
    const answering = (response: unknown) => heard.push(response, house.journal.at(-1));
    const arrival = { ...callTo("send_notification", { call_id: "a" }), answering };
    const response = await house.handle(arrival);
    expect(heard).toEqual([response, "outcome a ok"]);
    expect(heard[0]).toBe(response);
  });

  it("an answer that was heard of and could not be recorded is not the one that is given", async () => {
    const house = new House();
    house.ledgerFails = true;
    const heard: unknown[] = [];
    const arrival = { ...callTo("send_notification"), answering: (r: unknown) => heard.push(r) };
    const response = await house.handle(arrival);
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
    const house = new House();
    house.agent = agentWith(manifest === undefined ? {} : { timeout_ms: manifest });
    house.runs = (_args, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true }),
      );
    const shape = call === undefined ? {} : { timeout_ms: call };
    const response = house.handle(callTo("send_notification", shape));
    await house.settle();
    house.advance(limit - 1);
    await house.settle();
    expect(house.outcomes()).toEqual([]);
    house.advance(1);
    expect(await response).toMatchObject({
      error_code: "TOOL_PLATFORM_ERROR",
      reason: "tool_timeout",
    });
    expect(house.ran[0]?.context.signal.aborted).toBe(true);
  });

  it("a tool's failure is its stable word, anything else is internal_error without its text", async () => {
    const house = new House();
    house.runs = async () => {
      throw new ToolFailure("not_found");
    };
    expect(await house.handle(callTo("send_notification"))).toMatchObject({ reason: "not_found" });
    house.runs = async () => {
      throw new Error("password is hunter2");
    };
    const response = await house.handle(callTo("send_notification"));
    expect(response).toMatchObject({ reason: "internal_error" });
    expect(JSON.stringify([response, house.records])).not.toContain("hunter2");
  });

  it.each(["x", "é", "漢"])(
    "a result over 1 MiB of UTF-8 is too_large, one at it is not (%s)",
    async (unit) => {
      const house = new House();
      const bytes = new TextEncoder().encode(unit).byteLength;
      const fits = unit.repeat(Math.floor((LIMITS.resultBytes - 2) / bytes));
      house.runs = async () => fits;
      expect(await house.handle(callTo("send_notification"))).toMatchObject({ status: "ok" });
      house.runs = async () => fits + unit;
      expect(await house.handle(callTo("send_notification"))).toMatchObject({
        reason: "too_large",
      });
    },
  );
});
