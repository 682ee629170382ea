// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { LocalPairing, PairingView } from "../../app/bridge/agent-views.ts";
import { createI18n } from "../../i18n/index.ts";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { Pairings } from "./pairing.tsx";
import { sampleAgent } from "./testing/sample-agent.ts";

afterEach(cleanup);

const { t } = createI18n("en");

function drawAsking(local: Pick<LocalPairing, "asks" | "delivery">): void {
  const pairing: PairingView = {
    pairing_id: "pairing-1",
    code: "123456",
    name: "Claude Code",
    lookalikes: [],
    name_mark: null,
    scopes: sampleAgent.grants.map(({ scope }) => scope),
    warnings: [],
    problems: [],
    expires_at: Number.MAX_SAFE_INTEGER,
    local: { ...local, agent_id: null, same_as: null, program: null, shows_code: false },
  };
  const keys = { agents: [], pairings: [], restart_needed: false };
  drawInHost(<Pairings />, { snapshot: { pairings: [pairing], agents: [], keys } });
}

test("before an agent with hooks is connected, its card says that no limit and no folder holds", () => {
  drawAsking({ asks: "connect", delivery: "hook" });
  expect(screen.getByText(t("agents.delivery_means.hook")).className).toBe("caution");
  expect(screen.getByText(t("scopes.filesystem:read.unlimited"))).toBeDefined();
  expect(screen.queryByText(/folders you choose/)).toBeNull();
});

test("the card of an MCP client promises the folders that hold for it", () => {
  drawAsking({ asks: "connect", delivery: "local" });
  expect(screen.getByText(t("scopes.filesystem:read.description"))).toBeDefined();
  expect(screen.queryByText(t("agents.delivery_means.hook"))).toBeNull();
});
