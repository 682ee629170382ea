// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import type { AgentCard, Snapshot } from "../../app/bridge/views.ts";
import { createI18n } from "../../i18n/index.ts";
import { HostProvider } from "../host-context.tsx";
import { LanguageProvider } from "../language.tsx";
import { createShownStore } from "../state/store.ts";
import { AgentPermissions } from "./agent-permissions.tsx";
import { sampleAgent } from "./testing/sample-agent.ts";

afterEach(cleanup);

const { t } = createI18n("en");

function draw(agent: AgentCard): void {
  const store = createShownStore("connected");
  store.setState({ snapshot: { agents: [agent], conversations: [] } as unknown as Snapshot });
  render(
    <HostProvider bridge={{ call: async () => null } as unknown as ClientBridge} store={store}>
      <LanguageProvider language="en">
        <AgentPermissions agent={agent} partial={false} />
      </LanguageProvider>
    </HostProvider>,
  );
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
