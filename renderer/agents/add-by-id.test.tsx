// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { RegisteredAgentView } from "../../app/bridge/agent-views.ts";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { AddById, useLinkedAgent } from "./add-by-id.tsx";

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
  drawInHost(<Page />, { call, snapshot: { agents: [] } });
  return call;
}

const FOUND: RegisteredAgentView = {
  agent_id: "ag_1",
  name: "First",
  name_mark: null,
  lookalikes: [],
  agent_version: "1.0.0",
  manifest_version: 1,
  manifest_digest: "",
  scopes: [],
  warnings: [],
};
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

test.each([
  ["found", (asked: PromiseWithResolvers<unknown>) => asked.resolve(FOUND)],
  ["a failure", (asked: PromiseWithResolvers<unknown>) => asked.reject(new Error("late"))],
])("an answer about what is no longer typed is not shown: %s", async (_, answer) => {
  const asked = Promise.withResolvers<unknown>();
  open("#/agents?add=ag_1").mockReturnValue(asked.promise);
  await act(async () => void fireEvent.click(screen.getByTestId("add-by-id-find")));
  fireEvent.change(screen.getByTestId("add-by-id-text"), { target: { value: "ag_2" } });
  await act(async () => answer(asked));
  expect(screen.getByTestId("add-by-id-find").matches(":enabled")).toBe(true);
  expect(screen.queryByTestId("found-agent")).toBe(null);
  expect(screen.queryByTestId("add-by-id-failure")).toBe(null);
});

test.each(["add-by-id-find", "found-add"])(
  "the keyboard stays on %s while it is sent, and it is sent once",
  async (testId) => {
    const call = open("#/agents?add=ag_1").mockResolvedValue(FOUND);
    if (testId === "found-add") {
      await act(async () => void fireEvent.click(screen.getByTestId("add-by-id-find")));
    }
    call.mockReset().mockReturnValue(new Promise(() => undefined));
    const button = screen.getByTestId<HTMLButtonElement>(testId);
    await act(async () => void fireEvent.click(button));
    expect(button.disabled).toBe(false);
    await act(async () => void fireEvent.click(button));
    // As Enter in the field does.
    if (button.form !== null) fireEvent.submit(button.form);
    expect(call).toHaveBeenCalledOnce();
  },
);

test("what is worth knowing about a found agent says what it is about and where in its manifest", async () => {
  const warning = { code: "tool_not_in_catalogue", pointer: "/tools/11/name" } as const;
  const warnings = [{ ...warning, detail: "make_coffee" }];
  open("#/agents?add=ag_1").mockResolvedValue({ ...FOUND, warnings });
  await act(async () => void fireEvent.click(screen.getByTestId("add-by-id-find")));
  const remark = screen.getByTestId("manifest-remark").textContent;
  expect(remark).toMatch(/will never run it: make_coffee\/tools\/11\/name$/);
});

test.each(["#/agents", "#/agents?add=", "#/agents?add=a%20b", "#/agents?add=../x"])(
  "without an id in it, the field is empty and folded: %s",
  (hash) => {
    open(hash);
    expect(screen.getByTestId("add-by-id-open").getAttribute("aria-expanded")).toBe("false");
    expect(screen.queryByTestId<HTMLInputElement>("add-by-id-text")?.value ?? "").toBe("");
  },
);
