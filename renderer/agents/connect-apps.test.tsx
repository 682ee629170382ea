// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { AppView } from "../../app/bridge/app-views.ts";
import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import { LANGUAGES } from "../../app/contract/settings.ts";
import { KNOWN_APPS } from "../../main/apps/known-apps.ts";
import { HostProvider } from "../host-context.tsx";
import { LanguageProvider } from "../language.tsx";
import { createShownStore } from "../state/store.ts";
import { ConnectApps } from "./connect-apps.tsx";

afterEach(cleanup);

const WORDS = {
  en: "goes on without asking",
  de: "ohne zu fragen",
  "zh-CN": "继续运行而不询问",
};

const apps = Object.entries(KNOWN_APPS).map(([app_id, { name, hook }]) => {
  const part = { file: "/f", state: "not_connected" };
  return {
    app_id,
    name,
    tools: part,
    hook: hook === undefined ? null : { ...part, fails_closed: hook.failsClosed },
  } as AppView;
});

test.each(LANGUAGES)(
  "in %s, each app that goes on without its hook is said to",
  async (language) => {
    const bridge = { call: async () => apps } as unknown as ClientBridge;
    render(
      <HostProvider bridge={bridge} store={createShownStore("connected")}>
        <LanguageProvider language={language}>
          <ConnectApps />
        </LanguageProvider>
      </HostProvider>,
    );
    for (const [app_id, { name, hook }] of Object.entries(KNOWN_APPS)) {
      const row = await screen.findByTestId(`app-${app_id}`);
      const said = row.textContent?.includes(WORDS[language]) ?? false;
      expect([name, said]).toEqual([name, hook?.failsClosed === false]);
    }
  },
);
