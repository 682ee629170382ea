import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CallArgs } from "../../../app/bridge/calls.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";
import { ALL_SCOPES } from "../testing/test-manifest.ts";

connectForEachTest();

const answer = (args: CallArgs<"consent.answer">) => client.call("consent.answer", args);
const opened = async () => {
  const { request_id } = await client.waitingCard();
  await client.call("consent.opened", { request_id });
  client.time.jump(500);
  return request_id;
};

const denied = (request_id: string) => ({ request_id, answer: "deny" as const });

describe("an answer of the person's", () => {
  it("counts for a card that waits, and for no other", async () => {
    const none = { request_id: "nobody-asked", answer: "allow_once" as const };
    await expect(answer(none)).rejects.toThrow("not_found");
    await expect(client.call("consent.opened", { request_id: "nobody-asked" })).rejects.toThrow(
      "not_found",
    );
    const called = agent.write();
    const request_id = await opened();
    await answer({ request_id, answer: "deny" });
    await expect(answer({ request_id, answer: "allow_once" })).rejects.toThrow("not_found");
    expect(await called).toEqual({ refused: "user_refused" });
  });

  it("approves nothing that was not visible long enough to be read", async () => {
    const called = agent.write();
    const { request_id } = await client.waitingCard();
    const approve = () => answer({ request_id, answer: "allow_once" });
    await expect(approve()).rejects.toThrow("too_early");
    await client.call("consent.opened", { request_id });
    await expect(approve()).rejects.toThrow("too_early");
    expect(client.platform.sideEffects).toBe(0);
    client.time.jump(500);
    await approve();
    expect(await called).toEqual({ result: { length: 4 } });
  });

  it("must be one the card offers", async () => {
    const medium = agent.write();
    const request_id = await opened();
    await expect(answer({ request_id, answer: "always_deny" })).rejects.toThrow("not_offered");
    await answer({ request_id, answer: "deny" });
    await medium;
    const high = agent.call("read_clipboard");
    const second = await opened();
    const quiet = answer({ request_id: second, answer: "allow_in_conversation" });
    await expect(quiet).rejects.toThrow("not_offered");
    await answer({ request_id: second, answer: "deny" });
    await high;
  });

  it("can tell the agent something with a denial, which no log keeps", async () => {
    const { conversationId } = agent.credentials;
    const called = agent.sdk
      .callTool(conversationId, "write_clipboard", { text: "secret" })
      .catch((error: unknown) => error);
    const { request_id } = await client.waitingCard();
    await client.call("consent.deny_and_tell", {
      request_id,
      message: " Put it into\u202e notes.md \r\ninstead. ",
    });
    const told = "Put it into notes.md \ninstead.";
    expect(await called).toMatchObject({ failure: { reason: "user_refused", told } });
    const page = await client.call("activity.page", { limit: 5 });
    expect(JSON.stringify(page)).not.toContain("notes.md");
    const again = client.call("consent.deny_and_tell", { request_id, message: "Again" });
    await expect(again).rejects.toThrow("not_found");
  });

  it("with words for the agent, counts as none after the limit, even if the timer is late", async () => {
    const called = agent.call("read_clipboard");
    const request_id = await opened();
    client.time.jump(LIMITS.consentTimeoutMs);
    const denied = client.call("consent.deny_and_tell", { request_id, message: "Too late" });
    await expect(denied).rejects.toThrow("not_found");
    expect(await called).toEqual({ refused: "user_timeout" });
  });

  it("denies several of one agent at once, never together with another's", async () => {
    const other = await client.addAgent(ALL_SCOPES, "Other");
    const calls = [agent.write(), agent.call("read_clipboard")];
    const others = other.write();
    const cards = await client.cards(3);
    const deny = (asked: typeof cards) =>
      client.call("consent.answer_group", {
        answers: [...asked.map(({ request_id }) => request_id), "answered-already"].map(denied),
      });
    await expect(deny(cards)).rejects.toThrow("not_offered");
    await deny(cards.filter(({ agent_id }) => agent_id === agent.id));
    expect(await Promise.all(calls)).toEqual([
      { refused: "user_refused" },
      { refused: "user_refused" },
    ]);
    expect(await client.waitingCard()).toMatchObject({ agent_name: "Other" });
    await client.answer("deny");
    await others;
  });

  it("allows what shares a card together once each has been in sight, with an entry for each", async () => {
    const folder = join(client.dataDir, "..", "alike");
    mkdirSync(folder);
    for (const name of ["a.md", "b.md"]) writeFileSync(join(folder, name), name);
    await client.call("permissions.add_root", { agent_id: agent.id, path: folder, access: "read" });
    const reading = ["a.md", "b.md"].map((name) =>
      agent.call("read_file", { path: join(folder, name) }),
    );
    const request_ids = (await client.cards(2)).map(({ request_id }) => request_id);
    const allow = (ids: string[]) =>
      client.call("consent.answer_group", {
        answers: ids.map((request_id) => ({ request_id, answer: "allow_once" as const })),
      });
    const [first = ""] = request_ids;
    await client.call("consent.opened", { request_id: first });
    client.time.jump(500);
    // One that nobody has seen keeps the others waiting too.
    await expect(allow(request_ids)).rejects.toThrow("too_early");
    await expect(allow([first, "nobody-asked"])).rejects.toThrow("not_found");
    expect(await client.cards(2)).toHaveLength(2);
    for (const request_id of request_ids) await client.call("consent.opened", { request_id });
    client.time.jump(500);
    await allow(request_ids);
    expect(await Promise.all(reading)).toMatchObject([
      { result: { content: "a.md" } },
      { result: { content: "b.md" } },
    ]);
    const { rows } = await client.call("activity.page", { limit: 10 });
    const read = rows.filter((line) => "decided_by" in line && line.decided_by === "person");
    expect(new Set(read.map(({ arguments_digest }) => arguments_digest)).size).toBe(2);
  });

  it("allows nothing together that has a card of its own", async () => {
    const calls = [agent.write("one"), agent.write("two")];
    const request_ids = (await client.cards(2)).map(({ request_id }) => request_id);
    for (const request_id of request_ids) await client.call("consent.opened", { request_id });
    client.time.jump(500);
    const answers = request_ids.map((request_id) => ({
      request_id,
      answer: "allow_once" as const,
    }));
    const allowed = client.call("consent.answer_group", { answers });
    await expect(allowed).rejects.toThrow("not_offered");
    expect(client.platform.sideEffects).toBe(0);
    await client.call("consent.answer_group", { answers: request_ids.map(denied) });
    await Promise.all(calls);
  });

  it("that denies leaves after 5 s where a page offers to take it back, and until then it can be", async () => {
    const called = agent.write();
    const { request_id } = await client.waitingCard();
    const denial = { request_id, answer: "deny", undoable: true } as const;
    await answer(denial);
    const { consents, denials } = await client.snapshot();
    expect(consents).toEqual([]);
    expect(denials).toMatchObject([{ card: { request_id } }]);
    await client.call("consent.undo", { request_id });
    await client.waitingCard();
    await answer(denial);
    client.time.jump(5_000);
    expect(await called).toEqual({ refused: "user_refused" });
    await expect(client.call("consent.undo", { request_id })).rejects.toThrow("not_found");
  });

  it("that denies several is held for each of them, and each can be put back", async () => {
    const calls = [agent.write("one"), agent.write("two")];
    const request_ids = (await client.cards(2)).map(({ request_id }) => request_id);
    const denial = { answers: request_ids.map(denied), undoable: true as const };
    await client.call("consent.answer_group", denial);
    expect((await client.snapshot()).denials).toHaveLength(2);
    for (const request_id of request_ids) await client.call("consent.undo", { request_id });
    await client.cards(2);
    await client.call("consent.answer_group", denial);
    client.time.jump(5_000);
    for (const call of calls) expect(await call).toEqual({ refused: "user_refused" });
  });

  it("after the countdown is none", async () => {
    const called = agent.call("read_clipboard");
    const request_id = await opened();
    client.time.jump(29_500);
    expect(await called).toEqual({ refused: "user_timeout" });
    await expect(answer({ request_id, answer: "allow_once" })).rejects.toThrow("not_found");
    expect(client.platform.reads).toEqual([]);
  });
});

describe("a folder given with an answer", () => {
  const asks = async () => {
    const folder = join(client.dataDir, "..", "for-the-agent");
    mkdirSync(folder);
    writeFileSync(join(folder, "notes.txt"), "a note");
    const called = agent.call("read_file", { path: join(folder, "notes.txt") });
    const request_id = await opened();
    return { folder, called, request_id };
  };

  it("is needed where the card wants one", async () => {
    const { folder, called, request_id } = await asks();
    await expect(answer({ request_id, answer: "allow_once" })).rejects.toThrow("root_needed");
    await answer({ request_id, answer: "allow_once", root_path: folder });
    expect(await called).toMatchObject({ result: { content: "a note" } });
    expect((await client.card(agent)).roots).toMatchObject([{ path: folder, access: "read" }]);
  });

  it("must be a folder that is there and that the call is inside of", async () => {
    const { folder, called, request_id } = await asks();
    const elsewhere = join(folder, "..", "elsewhere");
    mkdirSync(elsewhere);
    const file = join(folder, "notes.txt");
    const faults = [
      ["relative", "root_path_unusable"],
      ["\0", "root_path_unusable"],
      ["/", "root_path_unusable"],
      ["/no/such/folder", "root_missing"],
      [file, "root_not_folder"],
      ["/proc", "root_refused"],
      [elsewhere, "root_elsewhere"],
      ["", "invalid_arguments"],
    ] as const;
    for (const [root_path, code] of faults) {
      const given = answer({ request_id, answer: "allow_once", root_path });
      await expect(given, JSON.stringify(root_path)).rejects.toThrow(code);
    }
    expect((await client.card(agent)).roots).toEqual([]);
    await answer({ request_id, answer: "deny", root_path: folder });
    expect(await called).toEqual({ refused: "user_refused" });
    expect((await client.card(agent)).roots).toEqual([]);
  });

  it("can be added and removed by hand, and only a usable one", async () => {
    const { folder, called } = await asks();
    const add = (path: string) =>
      client.call("permissions.add_root", { agent_id: agent.id, path, access: "read" });
    await expect(add(join(folder, "missing"))).rejects.toThrow("root_missing");
    await client.answer("allow_once", folder);
    await called;
    const [root] = (await client.card(agent)).roots;
    await client.call("permissions.remove_root", {
      agent_id: agent.id,
      root_id: root?.root_id ?? "",
    });
    expect((await client.card(agent)).roots).toEqual([]);
    await add(folder);
    expect((await client.card(agent)).roots).toMatchObject([{ path: folder }]);
    rmSync(folder, { recursive: true });
  });
});
