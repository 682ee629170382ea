// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { bridgeError } from "../../app/bridge/client-bridge.ts";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { RegisterAgent } from "./register-agent.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  window.location.hash = "";
});

const press = (testId: string) => act(async () => void fireEvent.click(screen.getByTestId(testId)));
const write = (testId: string, value: string) =>
  fireEvent.change(screen.getByTestId(testId), { target: { value } });
const GIVEN = { agent_id: "ag_1", token: "hsk_secret" };
const ASKS = { agent_version: "1.0.0", digest: "00", scopes: [] };

/** A name and a manifest that the program finds usable. */
async function filled(answer: () => Promise<unknown>) {
  const call = vi.fn((name: string) =>
    name === "agents.register"
      ? answer()
      : Promise.resolve({ problems: [], warnings: [], bytes: 2, asks: ASKS }),
  );
  drawInHost(<RegisterAgent />, {
    call,
    snapshot: { hub: { url: "http://127.0.0.1:1", own: true, connected: true, fault: null } },
  });
  await press("register-open");
  write("register-name", "Mine");
  expect(screen.getByTestId("register-send")).toHaveProperty("disabled", true);
  write("manifest-text", "{}");
  await act(async () => vi.advanceTimersByTimeAsync(1_000));
  return call;
}

test("the token is shown once, and is gone when the person has left it", async () => {
  const call = await filled(async () => GIVEN);
  await press("register-send");
  expect(call).toHaveBeenCalledWith("agents.register", { name: "Mine", text: "{}" });
  const shown = screen.getByTestId("registered").textContent;
  for (const text of ["Mine", "ag_1", "hsk_secret", "http://127.0.0.1:1"]) {
    expect(shown).toContain(text);
  }
  await press("registered-done");
  expect(document.body.textContent).not.toContain("hsk_secret");
  expect(screen.getByTestId<HTMLInputElement>("register-name").value).toBe("");
});

test("leads on to adding the agent", async () => {
  await filled(async () => GIVEN);
  await press("register-send");
  await press("registered-add");
  expect(window.location.hash).toBe("#/agents?add=ag_1");
  expect(document.body.textContent).not.toContain("hsk_secret");
});

test("what was written stays when the hub does not take it", async () => {
  await filled(() => Promise.reject(bridgeError("nothing_visible")));
  await press("register-send");
  expect(screen.getByTestId("register-failure").dataset.code).toBe("nothing_visible");
  expect(screen.getByTestId<HTMLInputElement>("register-name").value).toBe("Mine");
});
