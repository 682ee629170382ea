// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { ModelView } from "../../app/bridge/model-view.ts";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { ModelPanel } from "./model-panel.tsx";

afterEach(cleanup);

const MODEL: ModelView = {
  provider: "anthropic",
  model: "some-model",
  base_url: null,
  has_key: true,
  state: "stopped",
  fault: null,
  code: null,
  conversation_id: null,
};
const STOPPED = /no longer knows what was said before/;

const drawn = (change: Partial<ModelView>): string => {
  drawInHost(<ModelPanel />, { snapshot: { model: { ...MODEL, ...change } } });
  return screen.getByTestId("model-panel").textContent;
};

test("a stopped model says that it stays so, and forgets", () => {
  expect(drawn({})).toMatch(STOPPED);
});

test.each<Partial<ModelView>>([{ state: "running" }, { fault: "ended" }])(
  "a model says nothing of it with %j",
  (change) => expect(drawn(change)).not.toMatch(STOPPED),
);
