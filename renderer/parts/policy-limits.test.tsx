// @vitest-environment jsdom
import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { createI18n } from "../../i18n/index.ts";
import { AgentSection } from "../agents/agent-section.tsx";
import { Pairings } from "../agents/pairing.tsx";
import { sampleAgent } from "../agents/testing/sample-agent.ts";
import { AgentPermissions } from "../permissions/agent-permissions.tsx";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { samplePairing } from "../testing/sample-pairing.ts";

afterEach(cleanup);

const { t } = createI18n("en");
const NOTE = t("policy.not_allowed");
const NOT_ALLOWED = { not_allowed: true } as const;
const keys = { agents: [], pairings: [], restart_needed: false };

test.each([[{}], [NOT_ALLOWED]])("the card of an agent (%j) says whether it may ask", (policy) => {
  const agent = { ...sampleAgent, ...policy };
  drawInHost(<AgentSection agent={agent} />, { snapshot: { agents: [agent], keys } });
  const card = screen.getByTestId("agent-section").textContent;
  const isAllowed = policy !== NOT_ALLOWED;
  expect(card.includes(NOTE)).toBe(!isAllowed);
  expect(card.includes(t("agents.relation_means.active"))).toBe(isAllowed);
  const scopes = within(screen.getByTestId("agent-section")).getAllByRole<HTMLInputElement>(
    "switch",
  );
  expect(scopes.map(({ disabled }) => disabled)).toEqual(scopes.map(() => !isAllowed));
});

test("so does what it was given", () => {
  const agent = { ...sampleAgent, ...NOT_ALLOWED };
  drawInHost(<AgentPermissions agent={agent} partial={false} />, { snapshot: { agents: [agent] } });
  expect(screen.getByTestId("permissions-agent").textContent).toContain(NOTE);
});

test.each([[{}], [NOT_ALLOWED]])(
  "who asks to be added (%j) can be if its key is allowed",
  (policy) => {
    const pairing = { ...samplePairing("pairing-1"), ...policy };
    const sample_agent = { state: "idle", code: null };
    drawInHost(<Pairings />, { snapshot: { agents: [], pairings: [pairing], keys, sample_agent } });
    const isAllowed = policy !== NOT_ALLOWED;
    expect(screen.getByTestId("pairing-card").textContent.includes(NOTE)).toBe(!isAllowed);
    expect(screen.getByTestId<HTMLButtonElement>("pairing-accept").disabled).toBe(!isAllowed);
    expect(screen.getByTestId<HTMLButtonElement>("pairing-refuse").disabled).toBe(false);
  },
);
