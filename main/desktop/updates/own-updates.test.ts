import { describe, expect, test } from "vitest";
import { eventually } from "../../client/testing/eventually.ts";
import { type FeedError, feedError } from "./feed-source.ts";
import { ownUpdates } from "./own-updates.ts";

type Settings = { updates: boolean; update_channel: "stable" | "beta" };

function opened(found: { listed: string; offered: boolean } | FeedError) {
  const done: string[] = [];
  const kept = new Map<string, string>();
  const timers: { readonly ms: number; readonly run: () => void }[] = [];
  const settings: Settings = { updates: true, update_channel: "stable" };
  let end = () => {};
  const held = { look: Promise.resolve(), fetch: Promise.resolve() };
  const updates = ownUpdates({
    version: "1.0.0",
    open: async () => ({
      async look({ channel, newest }) {
        done.push(`look ${channel} ${newest}`);
        await held.look;
        if (feedError.is(found)) throw found;
        return found;
      },
      async fetch() {
        done.push("fetch");
        await held.fetch;
      },
      install: () => void done.push("install"),
    }),
    keepCurrent: async () => void done.push("keep"),
    failed: () => [],
    atEnd: (run) => {
      end = run;
    },
  });
  const stopped = new AbortController();
  updates.follow(
    {
      settings: () => settings,
      memory: {
        value: (name) => kept.get(name),
        putValue: async (name, value) => void kept.set(name, value),
      },
      scheduler: {
        after(ms, run) {
          const timer = { ms, run };
          timers.push(timer);
          return () => void timers.splice(timers.indexOf(timer), 1);
        },
      },
      now: () => 7,
      changed: () => {},
    },
    stopped.signal,
  );
  return {
    updates,
    done,
    timers,
    settings,
    kept,
    stop: () => stopped.abort(),
    end: () => end(),
    slowly(step: keyof typeof held = "fetch") {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      held[step] = promise;
      return { finish: resolve, fail: () => reject(feedError("unreachable")) };
    },
    settled: (state: string) =>
      eventually(async () => (updates.view().state === state ? true : undefined)),
  };
}
const NEWER = { listed: "1.1.0", offered: true };

describe("the program's own updates", () => {
  test("are looked for a minute after the start and every four hours, and no longer after the end", async () => {
    const { timers, done, stop } = opened({ listed: "1.0.0", offered: false });
    expect(timers.map(({ ms }) => ms)).toEqual([60_000]);
    timers.shift()?.run();
    await eventually(async () => (timers.length > 0 ? true : undefined));
    expect(timers.map(({ ms }) => ms)).toEqual([4 * 3_600_000]);
    expect(done).toEqual(["look latest null"]);
    stop();
    expect(timers).toEqual([]);
  });

  test("keep the package that is there before a newer one is fetched, and install it only at the end", async () => {
    const { updates, done, settled, end, kept } = opened(NEWER);
    updates.look();
    await settled("ready");
    expect(updates.view()).toEqual({
      state: "ready",
      version: "1.1.0",
      fault: null,
      checked_at: 7,
    });
    expect(done).toEqual(["look latest null", "keep", "fetch"]);
    expect(kept.get("updates.newest.latest")).toBe("1.1.0");
    end();
    expect(done.at(-1)).toBe("install");
  });

  test("are neither looked for nor installed once they are switched off", async () => {
    const { updates, done, settled, end, settings } = opened(NEWER);
    updates.look();
    await settled("ready");
    settings.updates = false;
    end();
    updates.look();
    expect(done).toEqual(["look latest null", "keep", "fetch"]);
  });

  test("of the other channel are looked for after a switch, and what was fetched before does not count", async () => {
    const { updates, done, settled, end, settings, slowly } = opened(NEWER);
    updates.look();
    await settled("ready");
    const cutOff = slowly();
    settings.update_channel = "beta";
    expect(updates.view()).toMatchObject({ state: "idle", version: null, checked_at: null });
    updates.look();
    await settled("fetching");
    end();
    expect(done).not.toContain("install");
    expect(done).toContain("look beta null");
    cutOff.fail();
    await settled("idle");
    expect(updates.view()).toMatchObject({ version: null, fault: "unreachable" });
    end();
    expect(done).not.toContain("install");
  });

  test("of the other channel are looked for when a switch comes while one is fetched", async () => {
    const { updates, done, settled, end, settings, slowly } = opened(NEWER);
    const { finish } = slowly();
    updates.look();
    await settled("fetching");
    settings.update_channel = "beta";
    updates.look();
    const cutOff = slowly();
    finish();
    await eventually(async () => (done.includes("look beta null") ? true : undefined));
    end();
    expect(done).not.toContain("install");
    cutOff.fail();
    await settled("idle");
  });

  test.each([
    ["finds nothing", "finish"],
    ["fails", "fail"],
  ] as const)(
    "of the other channel are looked for when a switch comes during a look that %s",
    async (_, end) => {
      const { updates, done, settings, slowly } = opened({ listed: "1.0.0", offered: false });
      const looking = slowly("look");
      updates.look();
      await eventually(async () => (done.length > 0 ? true : undefined));
      settings.update_channel = "beta";
      updates.look();
      looking[end]();
      await eventually(async () => (done.length > 1 ? true : undefined));
      expect(done).toEqual(["look latest null", "look beta null"]);
    },
  );

  test("tell why nothing was fetched, and the newest version that was seen is held against the next list", async () => {
    const { updates, kept, settled, done } = opened(feedError("unsigned"));
    kept.set("updates.newest.latest", "1.4.0");
    updates.look();
    await settled("idle");
    await eventually(async () => (updates.view().fault === null ? undefined : true));
    expect(updates.view()).toMatchObject({ state: "idle", fault: "unsigned" });
    expect(done).toEqual(["look latest 1.4.0"]);
  });
});
