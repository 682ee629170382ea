// @vitest-environment jsdom
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Connection } from "./bridge/web-bridge.ts";
import { App } from "./main-window.tsx";
import { drawInHost } from "./testing/draw-in-host.tsx";

afterEach(cleanup);

test.each([
  ["data-removed", "removed"],
  ["lost-key", "refused"],
] as const)("nothing but %s is shown once the connection is %s", (testId, connection) => {
  const { store, container } = drawInHost(<App />, { call: () => new Promise(() => {}) });
  const become = (next: Connection) => act(() => store.setState({ connection: next }));
  become("connected");
  expect(screen.queryByTestId(testId)).toBeNull();
  become(connection);
  expect([...container.children]).toEqual([screen.getByTestId(testId)]);
});
