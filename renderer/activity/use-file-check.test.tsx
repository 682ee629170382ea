// @vitest-environment jsdom
import { act, cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test } from "vitest";
import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import type { SummaryStep } from "../../app/bridge/views.ts";
import { HostProvider } from "../host-context.tsx";
import { createShownStore } from "../state/store.ts";
import { useFileCheck } from "./use-file-check.ts";

afterEach(cleanup);

/** A host that counts when it is told to. */
function drawCheck() {
  const waiting: ((step: SummaryStep) => void)[] = [];
  const call = () => new Promise<SummaryStep>((resolve) => waiting.push(resolve));
  const bridge = { call } as unknown as ClientBridge;
  const store = createShownStore("connected");
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <HostProvider bridge={bridge} store={store}>
      {children}
    </HostProvider>
  );
  const { result } = renderHook(useFileCheck, { wrapper });
  const counts = (nth: number, total: number) =>
    act(async () => waiting[nth]?.({ total, days: [], agents: [], next_before_seq: null }));
  return { result, counts };
}

test("only the path that was asked about last is answered", async () => {
  const { result, counts } = drawCheck();
  act(() => void result.current.check("/a", null));
  act(() => void result.current.check("/b", null));
  await counts(0, 5);
  expect(result.current.state).toEqual({ kind: "asking" });
  await counts(1, 7);
  expect(result.current.state).toMatchObject({ found: { path: "/b", named: 7 } });
});

test("an answer after the path was changed is not shown", async () => {
  const { result, counts } = drawCheck();
  act(() => void result.current.check("/a", null));
  act(() => result.current.forget());
  await counts(0, 5);
  expect(result.current.state).toEqual({ kind: "idle" });
});
