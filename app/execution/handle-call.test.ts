import { describe, expect, it } from "vitest";
import { LIMITS } from "../contract/limits.ts";
import { ToolFailure } from "./ports.ts";
import { agentWith, callTo, House } from "./testing/house.ts";

const HOUR = 3_600_000;

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

describe("sensitivity", () => {
  it("low runs silently", async () => {
    const house = new House();
    const response = await house.handle(callTo("send_notification"));
    expect(response).toMatchObject({ status: "ok", result: { done: true } });
    expect(house.outcomes()[0]).toMatchObject({ status: "ok", decided_by: "silent_low" });
  });

  it("a manifest can raise a level and cannot lower it", async () => {
    const house = new House();
    house.agent = agentWith({
      sensitivity: { "notification:send": "high", "clipboard:read": "low" },
    });
    void house.handle(callTo("send_notification"));
    void house.handle(callTo("read_clipboard"));
    await house.settle();
    const levels = house.desk.waiting().map(({ request }) => request.sensitivity);
    expect(levels).toEqual(["high", "medium"]);
  });

  it("medium asks once, then is silent in that conversation and scope only", async () => {
    const house = new House();
    const first = house.handle(callTo("read_clipboard"));
    await house.answer("allow_in_conversation");
    expect(await first).toMatchObject({ status: "ok" });
    expect(await house.handle(callTo("read_clipboard"))).toMatchObject({ status: "ok" });
    expect(house.outcomes().map((record) => record.decided_by)).toEqual(["person", "window"]);

    void house.handle(callTo("read_clipboard", { conversation_id: "conversation-2" }));
    void house.handle(callTo("write_clipboard"));
    await house.settle();
    expect(house.desk.waiting()).toHaveLength(2);
  });

  it("allow once opens no window", async () => {
    const house = new House();
    const first = house.handle(callTo("read_clipboard"));
    await house.answer("allow_once");
    expect(await first).toMatchObject({ status: "ok" });
    void house.handle(callTo("read_clipboard"));
    await house.settle();
    expect(house.desk.waiting()).toHaveLength(1);
  });

  it("the silence slides for 24 h, ends unused, and ends after 7 days whatever happens", async () => {
    const house = new House();
    void house.handle(callTo("read_clipboard"));
    await house.answer("allow_in_conversation");
    for (let hour = 23; hour < 7 * 24; hour += 23) {
      house.now += 23 * HOUR;
      expect(await house.handle(callTo("read_clipboard"))).toMatchObject({ status: "ok" });
    }
    house.now += 8 * HOUR;
    void house.handle(callTo("read_clipboard"));
    await house.settle();
    expect(house.desk.waiting()).toHaveLength(1);

    const idle = new House();
    void idle.handle(callTo("read_clipboard"));
    await idle.answer("allow_in_conversation");
    idle.now += 24 * HOUR;
    void idle.handle(callTo("read_clipboard"));
    await idle.settle();
    expect(idle.desk.waiting()).toHaveLength(1);
  });

  it("a changed manifest voids the silence", async () => {
    const house = new House();
    void house.handle(callTo("read_clipboard"));
    await house.answer("allow_in_conversation");
    house.agent = agentWith({ timeout_ms: 9_000 });
    void house.handle(callTo("read_clipboard"));
    await house.settle();
    expect(house.desk.waiting()).toHaveLength(1);
  });

  it("a window opened by one answer decides the others that wait for the same permission", async () => {
    const house = new House();
    const first = house.handle(callTo("read_clipboard"));
    const second = house.handle(callTo("read_clipboard"));
    await house.answer("allow_in_conversation");
    expect(await first).toMatchObject({ status: "ok" });
    expect(await second).toMatchObject({ status: "ok" });
    expect(new Set(house.outcomes().map((record) => record.decided_by))).toEqual(
      new Set(["person", "window"]),
    );
  });

  it("high asks every time and runs out after 30 s of being visible, not before", async () => {
    const house = new House();
    house.agent = agentWith({ sensitivity: { "clipboard:read": "high" } });
    const response = house.handle(callTo("read_clipboard"));
    await house.settle();
    house.advance(10 * 60_000);
    const card = house.desk.waiting()[0];
    expect(card?.remaining_ms).toBeNull();
    house.desk.opened(card?.request.request_id ?? "");
    house.advance(LIMITS.consentTimeoutMs - 1);
    expect(house.desk.waiting()).toHaveLength(1);
    house.advance(1);
    expect(await response).toMatchObject({ status: "denied", reason: "user_timeout" });
    expect(house.ran).toEqual([]);
  });

  it("always deny becomes a standing rule that needs no second prompt", async () => {
    const house = new House();
    house.agent = agentWith({ sensitivity: { "clipboard:read": "high" } });
    const first = house.handle(callTo("read_clipboard"));
    await house.answer("always_deny");
    expect(await first).toMatchObject({ status: "denied", reason: "user_refused" });
    expect(await house.handle(callTo("read_clipboard"))).toMatchObject({ reason: "user_refused" });
    expect(house.outcomes().map((record) => record.decided_by)).toEqual([
      "person",
      "standing_rule",
    ]);
    expect(house.ran).toEqual([]);
  });

  it("a no is a no", async () => {
    const house = new House();
    const response = house.handle(callTo("read_clipboard"));
    await house.answer("deny");
    expect(await response).toMatchObject({ status: "denied", reason: "user_refused" });
    expect(house.ran).toEqual([]);
  });

  it("an approval that cannot be remembered as promised approves nothing", async () => {
    const house = new House();
    house.grantsFail = true;
    const response = house.handle(callTo("read_clipboard"));
    await house.answer("allow_in_conversation");
    expect(await response).toMatchObject({ reason: "audit_unavailable" });
    expect(house.ran).toEqual([]);
  });
});

describe("roots", () => {
  it("a wanted folder is asked for even inside a silence window, and handed to the tool", async () => {
    const house = new House();
    house.preflight = { kind: "root_wanted", suggested_path: "/home/ada", access: "read" };
    const response = house.handle(callTo("read_file"));
    await house.settle();
    const card = house.desk.waiting()[0]?.request;
    expect(card?.root_wanted).toEqual({ suggested_path: "/home/ada", access: "read" });
    await expect(house.answer("allow_once")).rejects.toThrow("root_needed");
    await house.answer("allow_once", { path: "/home/ada", access: "read" });
    expect(await response).toMatchObject({ status: "ok" });
    expect(house.ran[0]?.context.roots.map((root) => root.path)).toEqual(["/home/ada"]);
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

describe("the same call again", () => {
  it("gets the same response, nothing executed twice and no second prompt", async () => {
    const house = new House();
    const arrival = callTo("read_clipboard", { call_id: "again" });
    const first = house.handle(arrival);
    const during = house.handle(arrival);
    await house.settle();
    expect(house.desk.waiting()).toHaveLength(1);
    await house.answer("allow_once");
    const answer = await first;
    expect(await during).toEqual(answer);
    expect(await house.handle(arrival)).toEqual(answer);
    expect(house.ran).toHaveLength(1);
    expect(house.outcomes()).toHaveLength(1);
  });

  it("a refusal is repeated too, although the scope has been granted since", async () => {
    const house = new House();
    house.agent = agentWith({ grants: { "clipboard:read": "revoked" } });
    const arrival = callTo("read_clipboard");
    const answer = await house.handle(arrival);
    house.agent = agentWith({});
    expect(await house.handle(arrival)).toEqual(answer);
  });

  it.each([
    ["other arguments", callTo("write_clipboard", { call_id: "reused", args: { text: "other" } })],
    ["another tool", callTo("read_clipboard", { call_id: "reused" })],
  ])("its id with %s is call_id_reused, and does not shadow the first", async (_name, other) => {
    const house = new House();
    const first = callTo("write_clipboard", { call_id: "reused" });
    const pending = house.handle(first);
    await house.settle();
    expect(await house.handle(other)).toMatchObject({ reason: "call_id_reused" });
    await house.answer("allow_once");
    const answer = await pending;
    expect(await house.handle(other)).toMatchObject({ reason: "call_id_reused" });
    expect(await house.handle(first)).toEqual(answer);
    expect(house.ran).toHaveLength(1);
  });

  it("a result no longer kept is said to be so, and is not made again", async () => {
    const house = new House();
    const arrival = callTo("send_notification", { call_id: "old" });
    const { decoded } = arrival;
    if (decoded.kind === "call") house.open.set("agent-1/old", decoded.call);
    expect(await house.handle(arrival)).toMatchObject({ reason: "result_expired" });
    expect(house.ran).toEqual([]);
  });
});

describe("revocation", () => {
  it("takes a waiting request back and says permission_revoked", async () => {
    const house = new House();
    const response = house.handle(callTo("read_clipboard"));
    await house.settle();
    house.desk.withdraw((request) => request.scope === "clipboard:read", "scope_revoked");
    expect(await response).toMatchObject({ status: "denied", reason: "permission_revoked" });
  });

  it("between the answer and the run is noticed", async () => {
    const house = new House();
    const response = house.handle(callTo("read_clipboard"));
    await house.settle();
    house.agent = agentWith({ grants: { "clipboard:read": "revoked" } });
    await house.answer("allow_once");
    expect(await response).toMatchObject({ status: "denied", reason: "permission_revoked" });
    expect(house.ran).toEqual([]);
  });

  it("stops what is running under the scope", async () => {
    const house = new House();
    house.runs = () => new Promise(() => {});
    const response = house.handle(callTo("send_notification"));
    await house.settle();
    house.ports.running.stop((call) => call.scope === "notification:send", "scope_revoked");
    expect(await response).toMatchObject({ status: "denied", reason: "permission_revoked" });
    expect(house.ran[0]?.context.signal.aborted).toBe(true);
  });

  it("what would begin after the program began to end is cancelled before its tool runs", async () => {
    const house = new House();
    house.ports.running.close("shutdown");
    const response = await house.handle(callTo("send_notification"));
    expect(response).toMatchObject({ status: "error", reason: "cancelled" });
    expect(house.ran).toEqual([]);
  });

  it("a manifest that changed while the person was reading is not what they approved", async () => {
    const house = new House();
    const response = house.handle(callTo("read_clipboard"));
    await house.settle();
    house.agent = agentWith({ timeout_ms: 9_000 });
    await house.answer("allow_once");
    expect(await response).toMatchObject({ reason: "manifest_changed" });
    expect(house.ran).toEqual([]);
  });

  it("an agent that is gone has its request withdrawn, and the log says so", async () => {
    const house = new House();
    const response = house.handle(callTo("read_clipboard"));
    await house.settle();
    house.desk.withdraw(() => true, "agent_gone");
    expect(await response).toMatchObject({ reason: "agent_disconnected" });
    expect(house.outcomes()).toMatchObject([{ reason: "agent_disconnected", status: "error" }]);
  });

  it("a shutdown answers nothing and stores nothing, so the call comes again", async () => {
    const house = new House();
    const response = house.handle(callTo("read_clipboard"));
    await house.settle();
    house.desk.withdraw(() => true, "shutdown");
    expect(await response).toBeNull();
    expect(house.records).toEqual([]);
  });
});
