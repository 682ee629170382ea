// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LanguageProvider } from "../language.tsx";
import { FindField } from "./find-field.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

let setText: (text: string) => void;

function Page() {
  const [text, set] = useState("");
  setText = set;
  return (
    <LanguageProvider language="en">
      <FindField text={text} onChange={set} />
      <output>{text}</output>
    </LanguageProvider>
  );
}

const field = () => screen.getByTestId<HTMLInputElement>("activity-find");
const asked = () => screen.getByRole("status").textContent;
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const pause = () => act(async () => vi.advanceTimersByTimeAsync(1_000));

test("a space stays in the field when typing pauses after it", async () => {
  render(<Page />);
  type("git ");
  await pause();
  expect([field().value, asked()]).toEqual(["git ", "git"]);
  type(`${field().value}status`);
  await pause();
  expect([field().value, asked()]).toEqual(["git status", "git status"]);
});

test("another text from elsewhere takes the place of what is typed", async () => {
  render(<Page />);
  type("git");
  await pause();
  act(() => setText(""));
  expect(field().value).toBe("");
});
