// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { bridgeError } from "../../app/bridge/client-bridge.ts";
import type { ModelView } from "../../app/bridge/model-view.ts";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { ModelDialog } from "./model-dialog.tsx";

afterEach(cleanup);

const MODEL: ModelView = {
  provider: "openai_compatible",
  model: "local",
  base_url: "http://127.0.0.1:11434/v1",
  has_key: false,
  state: "stopped",
  fault: null,
  code: null,
  conversation_id: null,
};

function drawDialog() {
  const asked = Promise.withResolvers<unknown>();
  const call = vi.fn(() => asked.promise);
  const onClose = vi.fn();
  drawInHost(<ModelDialog isOpen onClose={onClose} />, { call, snapshot: { model: MODEL } });
  const refuse = () => act(async () => asked.reject(bridgeError("base_url_unusable")));
  return { call, onClose, refuse };
}

const connect = () => screen.getByTestId<HTMLButtonElement>("model-save");
const typeAddress = (value: string) =>
  fireEvent.change(screen.getByTestId("model-base-url"), { target: { value } });
const press = () => act(async () => void fireEvent.click(connect()));

test("after a refused address the keyboard is still in the dialog, and Escape closes it", async () => {
  const { call, onClose, refuse } = drawDialog();
  typeAddress("x");
  connect().focus();
  await press();
  expect(connect().disabled).toBe(false);
  await press();
  expect(call).toHaveBeenCalledOnce();
  await refuse();
  expect(screen.getByTestId("model-problem").textContent).not.toBe("");
  expect(document.activeElement).toBe(connect());
  fireEvent.keyDown(connect(), { key: "Escape" });
  expect(onClose).toHaveBeenCalledOnce();
});

test("a provider that takes an address cannot be connected without one", () => {
  drawDialog();
  expect(connect().disabled).toBe(false);
  typeAddress(" ");
  expect(connect().disabled).toBe(true);
});
