// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { AgentDetails } from "../../app/bridge/agent-views.ts";
import { createI18n } from "../../i18n/index.ts";
import { sampleAgent } from "../agents/testing/sample-agent.ts";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { AgentPermissions } from "./agent-permissions.tsx";

afterEach(cleanup);

const { t } = createI18n("en");

function draw(agent: AgentDetails): void {
  drawInHost(<AgentPermissions agent={agent} partial={false} />, {
    call: async () => null,
    snapshot: { agents: [agent], conversations: [] },
  });
}

test.each([
  ["websocket", true],
  ["local", true],
  ["hook", false],
] as const)(
  "an agent connected by %s is said to be limited to folders and hosts: %s",
  (delivery, said) => {
    draw({ ...sampleAgent, delivery });
    for (const title of [t("permissions.roots"), t("permissions.hosts")]) {
      expect(screen.queryByText(title) !== null).toBe(said);
    }
  },
);
