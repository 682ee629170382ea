/** Two people, each with a program of their own, and two agents, at one hub of three nodes. */
import type { Locator } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { HubOfNodes, hasNodes } from "./support/hub-of-nodes.ts";
import { ALL_SCOPES, MANIFEST } from "./support/manifest.ts";
import type { RunningAgent } from "./support/running-agent.ts";
import type { Stage } from "./support/stage.ts";

test.skip(!hasNodes, "no PostgreSQL to test with, or no openssl");
// It starts five programs, and waits for clients that come back.
test.setTimeout(180_000);

const AT_ADAS = 0;
const AT_BENS = 1;
const AT_AGENTS = 2;
let hub: HubOfNodes;
test.beforeAll(async () => {
  hub = await HubOfNodes.start(3);
});
test.afterAll(() => hub?.end());

const SHOWN = { result: { shown: true } };
const DONE = { result: expect.anything() };
const NOT_GRANTED = { error: { reason: "scope_not_granted" } };

test("two people and two agents share a hub: each their own permissions, one suspended, a node killed in mid-call", async ({
  stage: ada,
  anotherStage,
}) => {
  hub.leadTo(AT_ADAS);
  await moveTo(ada, await hub.node(AT_AGENTS).invite("Ada"));
  const adasId = await hub.node(AT_AGENTS).idOf("Ada");
  hub.leadTo(AT_BENS);
  const ben = await anotherStage("--hub", await hub.node(AT_AGENTS).invite("Ben"));
  const bensId = await hub.node(AT_AGENTS).idOf("Ben");

  // One agent asks Ada for itself, the other is registered by Ben.
  hub.leadTo(AT_AGENTS);
  const one = ada.newAgent(hub.url);
  const { code, done } = one.pair("Agent one", MANIFEST, adasId);
  await ada.acceptPairing(await code, ["notification:send", "clipboard:write"]);
  const { agentId } = await done;
  const two = await registered(ben, "Agent two");
  await add(ben, two.agentId, ["notification:send"]);
  await add(ada, two.agentId, ["clipboard:write"]);
  await add(ben, agentId, ["notification:send", "network:http"]);
  const oneTo = {
    ada: await one.conversationWith(adasId),
    ben: await one.conversationWith(bensId),
  };
  const twoTo = {
    ada: await two.agent.conversationWith(adasId),
    ben: await two.agent.conversationWith(bensId),
  };
  expect(await notify(one, oneTo.ada)).toMatchObject(SHOWN);
  expect(await notify(one, oneTo.ben)).toMatchObject(SHOWN);
  expect(await notify(two.agent, twoTo.ben)).toMatchObject(SHOWN);
  expect(await notify(two.agent, twoTo.ada)).toMatchObject(NOT_GRANTED);
  expect(await copy(one, oneTo.ben)).toMatchObject(NOT_GRANTED);
  const asked = copy(two.agent, twoTo.ada);
  await ada.press("consent-allow-once");
  expect(await asked).toMatchObject(DONE);
  await ben.noCard();

  // In a group of all three, words reach everybody, and calls nobody.
  const group = await one.group("All three");
  const adas = await threadOf(ada, "All three");
  const bens = await threadOf(ben, "All three");
  await say(ada, "Good morning to both.");
  await expect(bens).toContainText("Good morning to both.");
  await say(ben, "And to Ada.");
  await expect(adas).toContainText("And to Ada.");
  const refused = { error: { reason: "tool_not_supported_in_group" } };
  expect(await copy(one, group)).toMatchObject(refused);
  await Promise.all([ada.noCard(), ben.noCard()]);

  // What changed is asked of whoever had allowed it.
  await one.manifest(raised("clipboard:write", "network:http"));
  await expectAskedFor(ada, "Agent one", ["clipboard:write"]);
  await expectAskedFor(ben, "Agent one", ["network:http"]);
  expect(await copy(one, oneTo.ada)).toMatchObject(NOT_GRANTED);
  await allowAnew(ada, "Agent one", "clipboard:write");
  await expect(sectionOf(ben, "Agent one").getByTestId("reconsent")).toBeVisible();

  // A call waits while Ada's node dies, and then its agent's.
  const waiting = copy(one, oneTo.ada);
  await ada.card();
  await hub.node(AT_ADAS).kill();
  await ada.press("consent-allow-once");
  expect(await waiting).toMatchObject(DONE);
  const another = copy(one, oneTo.ada);
  await ada.card();
  await hub.node(AT_AGENTS).kill();
  await ada.press("consent-allow-once");
  expect(await another).toMatchObject(DONE);

  await hub.node(AT_BENS).suspend(bensId);
  const page = await ben.open("settings");
  const state = page.getByTestId("hub-state");
  await expect(state).toHaveAttribute("data-state", "account_suspended");
  expect(await notify(one, oneTo.ben, 1_000)).toMatchObject({ error: { code: "call_timeout" } });
  expect(await notify(one, oneTo.ada)).toMatchObject(SHOWN);
  await hub.node(AT_BENS).restore(bensId);
  await expect(state).toHaveAttribute("data-state", "connected", { timeout: 60_000 });
  expect(await notify(one, oneTo.ben)).toMatchObject(SHOWN);
});

const notify = (agent: RunningAgent, conversation: string, timeoutMs = 60_000) =>
  agent.call("send_notification", { title: "Hello" }, { timeoutMs }, conversation);

const copy = (agent: RunningAgent, conversation: string) =>
  agent.call("write_clipboard", { text: "copied" }, undefined, conversation);

/** With these permissions more sensitive than before. */
const raised = (...ids: readonly string[]) => ({
  ...MANIFEST,
  agent_version: "2.0.0",
  permission_scopes: MANIFEST.permission_scopes.map((scope) =>
    ids.includes(scope.id) ? { ...scope, sensitivity: "high" } : scope,
  ),
});

const sectionOf = (stage: Stage, name: string): Locator =>
  stage.program.main.getByTestId("agent-section").filter({ hasText: name });

async function moveTo(stage: Stage, link: string): Promise<void> {
  const settings = await stage.open("settings");
  await settings.getByTestId("hub-link").fill(link);
  await settings.getByTestId("hub-move").click();
  await settings.getByTestId("hub-move-dialog-confirm").click();
  await expect(settings.getByTestId("hub-settings")).toContainText(hub.url);
  await expect(settings.getByTestId("hub-state")).toHaveAttribute("data-state", "connected");
}

/** The person registers it on the page, and their developer starts it. */
async function registered(stage: Stage, name: string) {
  const main = await stage.open("agents");
  await main.getByTestId("register-open").click();
  const form = main.getByTestId("register-agent");
  await form.getByTestId("register-name").fill(name);
  await form.getByTestId("manifest-text").fill(JSON.stringify(MANIFEST));
  await form.getByTestId("register-send").click();
  const shown = main.getByTestId("registered");
  await expect(shown).toContainText(name);
  const [agentId = "", token = ""] = await shown.locator("code").allTextContents();
  const agent = stage.newAgent(hub.url);
  const given = { agentId, token, conversationId: "", userId: "", grantedScopes: [] };
  await agent.init(given, MANIFEST);
  return { agent, agentId };
}

async function add(stage: Stage, agentId: string, scopes: readonly string[]): Promise<void> {
  const main = await stage.open("agents");
  const toggle = main.getByTestId("add-by-id-open");
  if ((await toggle.getAttribute("aria-expanded")) === "false") await toggle.click();
  await main.getByTestId("add-by-id-text").fill(agentId);
  await main.getByTestId("add-by-id-find").click();
  const found = main.getByTestId("found-agent");
  for (const scope of ALL_SCOPES) {
    await found.getByTestId(`found-scope-${scope}`).setChecked(scopes.includes(scope));
  }
  await found.getByTestId("found-add").click();
  await expect(found).toHaveCount(0);
}

async function threadOf(stage: Stage, title: string): Promise<Locator> {
  const main = await stage.open("conversations");
  await main.getByTestId("conversation-row").filter({ hasText: title }).click();
  return main.getByTestId("thread");
}

async function say(stage: Stage, text: string): Promise<void> {
  const { main } = stage.program;
  await main.getByTestId("composer").fill(text);
  await main.getByTestId("composer-send").click();
}

async function expectAskedFor(stage: Stage, name: string, scopes: readonly string[]) {
  await stage.open("agents");
  const asked = sectionOf(stage, name).getByTestId("reconsent");
  for (const scope of ALL_SCOPES) {
    const box = asked.getByTestId(`reconsent-scope-${scope}`);
    await expect(box).toHaveCount(scopes.includes(scope) ? 1 : 0);
  }
}

async function allowAnew(stage: Stage, name: string, scope: string): Promise<void> {
  const asked = sectionOf(stage, name).getByTestId("reconsent");
  await asked.getByTestId(`reconsent-scope-${scope}`).check();
  await asked.getByTestId("reconsent-allow").click();
  await expect(asked).toHaveCount(0);
}
