import { axeFindings } from "./support/axe-findings.ts";
import { expect, test } from "./support/fixtures.ts";
import { ALL_SCOPES, MANIFEST } from "./support/manifest.ts";
import { asOwner, ownerToken } from "./support/owner-token.ts";
import { patchManifest } from "./support/patch-manifest.ts";
import type { Stage } from "./support/stage.ts";

test.setTimeout(120_000);

interface Registered {
  readonly agent_id: string;
  readonly token: string;
}

/** A script of the person's has registered an agent at the running program. */
async function registered(stage: Stage): Promise<Registered & { readonly owner: string }> {
  const owner = await ownerToken(stage.dataDir);
  const body = { name: "Registered agent", capability_manifest: MANIFEST };
  const { hub } = stage.program.ready;
  return { owner, ...(await asOwner<Registered>(hub, owner, "/agents", body)) };
}

const credentialsOf = ({ agent_id, token }: Registered, conversationId: string) => ({
  agentId: agent_id,
  token,
  conversationId,
  userId: "",
  grantedScopes: [],
});

test("an agent is added by its link: shown first, with its high permissions left to the person, then it works", async ({
  stage,
}) => {
  const given = await registered(stage);
  const main = await stage.open("agents");
  await main.getByTestId("add-by-id-open").click();
  const field = main.getByTestId("add-by-id-text");
  const failure = main.getByTestId("add-by-id-failure");
  for (const [text, code] of [
    [`consentry:agent/${given.agent_id}?granted_scopes=shell:exec`, "link_unusable"],
    ["5Jc0xqBv1mZk8TnW3rYd7u", "agent_unknown"],
  ] as const) {
    await field.fill(text);
    await main.getByTestId("add-by-id-find").click();
    await expect(failure).toHaveAttribute("data-code", code);
  }
  await field.fill(`consentry:agent/${given.agent_id}`);
  await expect(failure).toHaveCount(0);
  await field.press("Enter");
  const found = main.getByTestId("found-agent");
  await expect(found).toContainText("Registered agent");
  for (const { id, sensitivity } of MANIFEST.permission_scopes) {
    const box = found.getByTestId(`found-scope-${id}`);
    await expect(box).toBeChecked({ checked: sensitivity !== "high" });
  }
  expect(await axeFindings(main, "an agent found by its id")).toEqual([]);

  // Its developer changes it before the person answers.
  const { hub } = stage.program.ready;
  await patchManifest(hub, credentialsOf(given, ""), { ...MANIFEST, agent_version: "1.1.0" });
  await found.getByTestId("found-add").click();
  await expect(failure).toHaveAttribute("data-code", "manifest_changed");
  await expect(found).toContainText("1.1.0");
  await expect(main.getByTestId("agent-section")).toHaveCount(0);

  for (const scope of ALL_SCOPES) {
    await found.getByTestId(`found-scope-${scope}`).setChecked(scope === "notification:send");
  }
  await found.getByTestId("found-add").click();
  const card = main.getByTestId("agent-section");
  await expect(card).toContainText("Registered agent");
  await expect(card.getByTestId("agent-scope-notification:send")).toBeChecked();
  await expect(card.getByTestId("agent-scope-shell:exec")).not.toBeChecked();
  await expect(found).toHaveCount(0);
  await field.fill(given.agent_id);
  await main.getByTestId("add-by-id-find").click();
  await expect(failure).toHaveAttribute("data-code", "already_added");

  const conversation = await conversationOf(stage, given);
  const agent = stage.newAgent();
  await agent.init(credentialsOf(given, conversation), MANIFEST);
  const shown = await agent.call("send_notification", { title: "Here I am" });
  expect(shown).toMatchObject({ result: { shown: true } });
  const refused = await agent.call("read_file", { path: "/etc/hostname" });
  expect(refused).toMatchObject({ error: { reason: "scope_not_granted" } });
});

test("an agent that another client adds is taken in at once, and nothing is allowed before the person answers", async ({
  stage,
}) => {
  const given = await registered(stage);
  const { main, ready } = stage.program;
  await stage.open("agents");
  await expect(main.getByTestId("agent-section")).toHaveCount(0);
  const scopes = ["notification:send", "shell:exec"];
  const { conversation_id } = await asOwner<{ conversation_id: string }>(
    ready.hub,
    given.owner,
    "/h2a/relations",
    { agent_id: given.agent_id, granted_scopes: scopes },
  );
  const agent = stage.newAgent();
  await agent.init(credentialsOf(given, conversation_id), MANIFEST);
  const early = await agent.call("send_notification", { title: "Too early" });
  expect(early).toMatchObject({ error: { reason: "scope_not_granted" } });

  const card = main.getByTestId("agent-section");
  await expect(card).toContainText("Registered agent");
  await expect(main.locator('[data-testid="notice"][data-code="agents_found"]')).toContainText(
    "Registered agent",
  );
  const box = (scope: string) => card.getByTestId(`reconsent-scope-${scope}`);
  await expect(box("notification:send")).toBeChecked();
  await expect(box("shell:exec")).not.toBeChecked();
  await card.getByTestId("reconsent-allow").click();
  await expect(card.getByTestId("agent-scope-notification:send")).toBeChecked();
  await expect(card.getByTestId("agent-scope-shell:exec")).not.toBeChecked();
  const now = await agent.call("send_notification", { title: "Allowed" });
  expect(now).toMatchObject({ result: { shown: true } });
});

test("a person registers an agent of theirs on the page, and it works with the id and token shown once", async ({
  stage,
}) => {
  const main = await stage.open("agents");
  await main.getByTestId("register-open").click();
  const form = main.getByTestId("register-agent");
  await form.getByTestId("register-name").fill("Mine");
  await form.getByTestId("manifest-text").fill(JSON.stringify({ ...MANIFEST, tools: [{}] }));
  await expect(form.getByTestId("manifest-problems")).toBeVisible();
  await expect(form.getByTestId("register-send")).toBeDisabled();
  await form.getByTestId("manifest-text").fill(JSON.stringify(MANIFEST));
  expect(await axeFindings(main, "an agent to be registered")).toEqual([]);
  await form.getByTestId("register-send").click();
  const shown = main.getByTestId("registered");
  await expect(shown).toContainText("Mine");
  const [agent_id = "", token = ""] = await shown.locator("code").allTextContents();
  expect(token).toMatch(/^hsk_[0-9A-Za-z]{40}$/);
  expect(await axeFindings(main, "a token shown once")).toEqual([]);

  await shown.getByTestId("registered-add").click();
  await expect(main.getByText(token)).toHaveCount(0);
  await expect(main.getByTestId("add-by-id-text")).toHaveValue(agent_id);
  await main.getByTestId("add-by-id-find").click();
  await main.getByTestId("found-add").click();
  await expect(main.getByTestId("agent-section")).toContainText("Mine");
  const given = { agent_id, token };
  const agent = stage.newAgent();
  await agent.init(credentialsOf(given, await conversationOf(stage, given)), MANIFEST);
  const notified = await agent.call("send_notification", { title: "Here I am" });
  expect(notified).toMatchObject({ result: { shown: true } });
});

test("a script of the owner's changes an agent's manifest at the running program", async ({
  stage,
}) => {
  const { agent_id, owner } = await registered(stage);
  const { hub } = stage.program.ready;
  const capability_manifest = { ...MANIFEST, agent_version: "2.0.0" };
  const changed = await asOwner(
    hub,
    owner,
    `/agents/${agent_id}`,
    { capability_manifest },
    "PATCH",
  );
  expect(changed).toMatchObject({ capability_manifest_version: 2, breaking_changes: [] });
});

/** As the agent's developer is told it. */
async function conversationOf(stage: Stage, { token }: Registered): Promise<string> {
  const answer = await fetch(new URL("/conversations", stage.program.ready.hub), {
    headers: { authorization: `Bearer ${token}` },
  });
  const { data } = (await answer.json()) as { data: readonly { conversation_id: string }[] };
  return data[0]?.conversation_id ?? "";
}
