// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import type { Snapshot } from "../../app/bridge/views.ts";
import { HostProvider } from "../host-context.tsx";
import { LanguageProvider } from "../language.tsx";
import { createShownStore } from "../state/store.ts";
import { CountTable } from "./count-table.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { NO_FILTER } from "./log-filter.ts";

const GROUP = "Failed or cancelled";

beforeEach(() => {
  const media = { matches: false, addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal("matchMedia", () => media);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function draw(page: ReactNode): void {
  const store = createShownStore("connected");
  store.setState({ snapshot: { agents: [] as Snapshot["agents"] } as Snapshot });
  render(
    <HostProvider bridge={{} as ClientBridge} store={store}>
      <LanguageProvider language="en">{page}</LanguageProvider>
    </HostProvider>,
  );
}

test("the status that cancelled calls are found by names them", () => {
  draw(<FilterBar filter={{ ...NO_FILTER, status: "error" }} narrow={false} onChange={() => {}} />);
  const status = screen.getByTestId("activity-filter-status");
  expect(status.querySelector(".select-button")?.textContent).toContain(GROUP);
});

test("the number that cancelled calls are counted in names them", () => {
  const counts = { ok: 3, denied: 0, error: 2, interrupted: 0 };
  draw(<CountTable name="By agent" rows={[{ ...counts, id: "ada", name: "Ada" }]} />);
  const heads = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
  expect(heads).toContain(GROUP);
});
