// @vitest-environment jsdom
import { act, cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import type { SummaryStep } from "../../app/bridge/views.ts";
import { HostProvider } from "../host-context.tsx";
import { createShownStore } from "../state/store.ts";
import type { LogQuery } from "./log-filter.ts";
import { sampleRow } from "./testing/sample-log.ts";
import { useSummary } from "./use-summary.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** A host that counts when it is told to. */
function slowHost() {
  const asked: object[] = [];
  const waiting: ((step: SummaryStep) => void)[] = [];
  const call = (_name: string, query: object) => {
    asked.push(query);
    return new Promise<SummaryStep>((resolve) => waiting.push(resolve));
  };
  let told: (row: object) => void = () => {};
  const on = (_name: string, listener: (row: object) => void) => {
    told = listener;
  };
  const bridge = { call, on } as unknown as ClientBridge;
  const store = createShownStore("connected");
  return {
    asked,
    counts: (total: number, next: number | null) =>
      act(async () => waiting.shift()?.({ total, days: [], agents: [], next_before_seq: next })),
    newLine: (part = {}) => act(async () => told(sampleRow(1, part))),
    wrapper: ({ children }: { readonly children: ReactNode }) => (
      <HostProvider bridge={bridge} store={store}>
        {children}
      </HostProvider>
    ),
  };
}

const pass = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms));

function counting(query: LogQuery) {
  const host = slowHost();
  const { result, rerender } = renderHook((asks: LogQuery) => useSummary(asks), {
    initialProps: query,
    wrapper: host.wrapper,
  });
  const shown = () => result.current && [result.current.summary.total, result.current.whole];
  return { ...host, shown, asks: rerender };
}

test("what was counted so far is shown until all is", async () => {
  const { asked, counts, shown } = counting({ about: "/home/ada" });
  expect(shown()).toBe(null);
  await counts(5_000, 700);
  expect(shown()).toEqual([5_000, false]);
  await counts(12, null);
  expect(shown()).toEqual([5_012, true]);
  expect(asked).toEqual([{ about: "/home/ada" }, { about: "/home/ada", before_seq: 700 }]);
});

test("another query ends the count, and the old one is not shown for long", async () => {
  const { asked, counts, shown, asks } = counting({ about: "/home/ada" });
  await counts(5_000, 700);
  asks({ about: "/srv" });
  await counts(5_000, 300);
  expect(asked.at(-1)).toEqual({ about: "/srv" });
  expect(shown()).toEqual([5_000, false]);
  await pass(300);
  expect(shown()).toBe(null);
  await counts(3, null);
  expect(shown()).toEqual([3, true]);
});

test("new calls are counted once a while has passed, the longer the longer counting takes", async () => {
  const { asked, counts, newLine, shown } = counting({});
  await pass(2_000);
  await counts(1, null);
  await newLine();
  await newLine();
  await pass(19_000);
  expect(asked).toHaveLength(1);
  await pass(1_100);
  expect(asked).toHaveLength(2);
  expect(shown()).toEqual([1, true]);
  await counts(2, null);
  expect(shown()).toEqual([2, true]);
  await pass(60_000);
  expect(asked).toHaveLength(2);
});

test("a call that no longer has the status that is counted is not counted any more", async () => {
  const { counts, newLine, shown } = counting({ status: "ok" });
  await counts(1, null);
  await newLine({ status: "error", carried_out: "failed" });
  await pass(6_000);
  await counts(0, null);
  expect(shown()).toEqual([0, true]);
});
