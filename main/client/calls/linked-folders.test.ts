import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import type { RootTerms } from "../../../app/bridge/calls.ts";
import type { ConsentCard } from "../../../app/bridge/consent-views.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import { agent, agentReturns, client, connectForEachTest } from "../testing/each-test.ts";

connectForEachTest();

let base: string;
let real: string;
let link: string;

beforeEach(() => {
  base = realpathSync(dirname(client.anchors));
  real = join(base, "real");
  link = join(base, "link");
  mkdirSync(join(real, "deep"), { recursive: true });
  writeFileSync(join(real, "a.md"), "a");
  writeFileSync(join(real, "deep", "b.md"), "b");
  rmSync(link, { force: true });
  symlinkSync(real, link);
});

const read = (...names: readonly string[]) => agent.call("read_file", { path: join(...names) });
const given = async () => (await client.card(agent)).roots;

async function give(card: ConsentCard, root_path: string, terms: Partial<RootTerms> = {}) {
  const { request_id } = card;
  await client.call("consent.opened", { request_id });
  client.time.jump(LIMITS.approvalInertMs);
  const root_terms: RootTerms = { only_file: false, access: "read", time: "always", ...terms };
  await client.call("consent.answer", {
    request_id,
    answer: "allow_once",
    root_path,
    root_terms,
  });
}

const suggested = (card: ConsentCard) => card.root_wanted?.suggested_path ?? "";

it("is offered where it really is, and what was named by the link is read by it, now and later", async () => {
  const first = read(link, "a.md");
  const card = await client.waitingCard();
  expect(card).toMatchObject({
    root_wanted: { suggested_path: real, file: join(real, "a.md") },
    arguments: { path: join(real, "a.md") },
  });
  await give(card, suggested(card));
  expect(await first).toMatchObject({ result: { content: "a" } });
  expect(await given()).toMatchObject([{ path: real }]);

  await client.restart();
  await agentReturns();
  for (const folder of [link, real]) {
    const next = read(folder, "deep", "b.md");
    expect((await client.waitingCard()).root_wanted).toBeNull();
    await client.answer("allow_once");
    expect(await next).toMatchObject({ result: { content: "b" } });
  }
});

it("is reached by a link above it, as in a home behind one", async () => {
  const first = read(link, "deep", "b.md");
  const card = await client.waitingCard();
  expect(suggested(card)).toBe(join(real, "deep"));
  await give(card, base);
  expect(await first).toMatchObject({ result: { content: "b" } });
  expect(await given()).toMatchObject([{ path: base }]);
});

it("is given for one call, or as a file alone, through the link too", async () => {
  const once = read(link, "a.md");
  await give(await client.waitingCard(), real, { time: "once" });
  expect(await once).toMatchObject({ result: { content: "a" } });
  expect(await given()).toEqual([]);
  const file = read(link, "a.md");
  await give(await client.waitingCard(), real, { only_file: true });
  expect(await file).toMatchObject({ result: { content: "a" } });
  expect(await given()).toMatchObject([{ path: join(real, "a.md"), only_file: true }]);
});

it("cannot be answered with a folder that the link does not lead into", async () => {
  const first = read(link, "a.md");
  const card = await client.waitingCard();
  const { request_id } = card;
  await expect(give(card, join(real, "deep"))).rejects.toThrow("root_elsewhere");
  await client.call("consent.answer", { request_id, answer: "deny" });
  expect(await first).toMatchObject({ refused: "user_refused" });
});

it("is closed to what names it by a link that leads elsewhere by now", async () => {
  const first = read(link, "a.md");
  await give(await client.waitingCard(), real);
  await first;
  const other = join(base, "other");
  mkdirSync(other);
  writeFileSync(join(other, "a.md"), "secret");
  rmSync(link);
  symlinkSync(other, link);
  expect(await read(link, "a.md")).toMatchObject({ refused: "outside_roots" });
});

it("was typed by the person by the link, and is the agent's by it", async () => {
  await client.call("permissions.add_root", { agent_id: agent.id, path: link, access: "read" });
  expect(await given()).toMatchObject([{ path: real }]);
  const next = read(link, "a.md");
  await client.waitingCard();
  await client.answer("allow_once");
  expect(await next).toMatchObject({ result: { content: "a" } });
});

it("is denied by a rule for where it is, whatever the call names", async () => {
  const first = read(link, "a.md");
  await give(await client.waitingCard(), real);
  await first;
  await client.call("rules.add", {
    agent_id: agent.id,
    covers: "read_file",
    effect: "deny",
    subject: { kind: "path", path: join(real, "deep"), names: null },
    time: "always",
  });
  expect(await read(link, "deep", "b.md")).toMatchObject({ refused: "user_refused" });
});
