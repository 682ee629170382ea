// @vitest-environment jsdom
import { act, cleanup, render, renderHook, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { ScopeView } from "../../app/bridge/agent-views.ts";
import { LanguageProvider } from "../language.tsx";
import { ScopePicker, useScopeChoice } from "./scope-picker.tsx";

afterEach(cleanup);

const scopeOf = (id: string, sensitivity: ScopeView["sensitivity"]): ScopeView => ({
  id,
  label_i18n_key: "",
  label_fallback: null,
  sensitivity,
  tools: [],
  needed: false,
  managed: null,
  said: { label: null, description: null, tools: [], more: 0 },
});
const SCOPES = [scopeOf("files", "medium"), scopeOf("commands", "high")];
const drawn = (question: string, scopes = SCOPES) =>
  renderHook(() => useScopeChoice(question, scopes)).result;

test("what the person has ticked and unticked is there again when the question is drawn anew", () => {
  const before = drawn("pairing-1");
  expect([...before.current.chosen]).toEqual(["files"]);
  act(() => before.current.toggle("files"));
  act(() => before.current.toggle("commands"));
  cleanup();
  expect([...drawn("pairing-1").current.chosen]).toEqual(["commands"]);
});

test.each([
  ["shell:execute", "Run", ["Run"]],
  ["shell:exec", "Run commands", []],
  ["shell:exec", "Run", ["Run"]],
])("of %s, the label %j is marked as the agent's words unless it is ours", (id, label, marked) => {
  const said = { label, description: null, tools: [], more: 0 };
  render(
    <LanguageProvider language="en">
      <ScopePicker
        scopes={[{ ...scopeOf(id, "high"), label_fallback: label, said }]}
        choice={{ chosen: new Set(), toggle: () => {} }}
        testPrefix="scope"
        legend="Permissions"
        limited
      />
    </LanguageProvider>,
  );
  const words = screen.queryAllByTestId("agent-said").map((each) => each.lastChild?.textContent);
  expect(words).toEqual(marked);
});
