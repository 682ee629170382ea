// @vitest-environment jsdom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import { HostProvider } from "../host-context.tsx";
import { LanguageProvider } from "../language.tsx";
import { useLinkedAgent } from "../screens/use-linked-agent.ts";
import { createShownStore } from "../state/store.ts";
import { AddById } from "./add-by-id.tsx";

afterEach(() => {
  cleanup();
  window.location.hash = "";
});

function Page() {
  const linked = useLinkedAgent();
  return <AddById key={linked} linked={linked} />;
}

function open(hash: string) {
  window.location.hash = hash;
  const call = vi.fn();
  const bridge = { call } as unknown as ClientBridge;
  render(
    <HostProvider bridge={bridge} store={createShownStore("connected")}>
      <LanguageProvider language="en">
        <Page />
      </LanguageProvider>
    </HostProvider>,
  );
  return call;
}

const field = () => screen.getByTestId<HTMLInputElement>("add-by-id-text").value;

/** The address changes as a link changes it. */
const follow = (hash: string) =>
  act(async () => {
    const changed = new Promise((done) =>
      window.addEventListener("hashchange", done, { once: true }),
    );
    window.location.hash = hash;
    await changed;
  });

test("an agent's link fills in the id, and the hub is asked nothing", () => {
  const call = open("#/agents?add=ag_1");
  expect(field()).toBe("ag_1");
  expect(screen.getByTestId("add-by-id-open").getAttribute("aria-expanded")).toBe("true");
  expect(call).not.toHaveBeenCalled();
});

test("another link takes the place of the first one", async () => {
  const call = open("#/agents?add=ag_1");
  await follow("#/agents?add=ag_2");
  expect(field()).toBe("ag_2");
  expect(call).not.toHaveBeenCalled();
});

test.each(["#/agents", "#/agents?add=", "#/agents?add=a%20b", "#/agents?add=../x"])(
  "without an id in it, the field is empty and folded: %s",
  (hash) => {
    open(hash);
    expect(screen.getByTestId("add-by-id-open").getAttribute("aria-expanded")).toBe("false");
    expect(screen.queryByTestId<HTMLInputElement>("add-by-id-text")?.value ?? "").toBe("");
  },
);
