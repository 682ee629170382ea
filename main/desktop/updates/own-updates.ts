import type { UpdatesView } from "../../../app/bridge/views.ts";
import type { OwnUpdates, UpdatesProgram } from "../../client/host-port.ts";
import { feedError } from "./feed-source.ts";
import type { PackageUpdater } from "./package-updater.ts";

const HOUR_MS = 3_600_000;
/** Long after the first page is there. */
const FIRST_LOOK_MS = 60_000;
const LOOK_EVERY_MS = 4 * HOUR_MS;

const NOT_LOOKED: UpdatesView = { state: "idle", version: null, fault: null, checked_at: null };

const CHANNEL_NAMES = { stable: "latest", beta: "beta" } as const;
type Channel = (typeof CHANNEL_NAMES)[keyof typeof CHANNEL_NAMES];

/** The one that the person is on. */
const channelOf = ({ settings }: UpdatesProgram): Channel =>
  CHANNEL_NAMES[settings().update_channel];

export interface OwnUpdatesParts {
  readonly version: string;
  /** Opened at the first look. */
  readonly open: () => Promise<PackageUpdater>;
  /** Keeps what is installed now, before it can be replaced. */
  readonly keepCurrent: () => Promise<void>;
  /** Versions that did not start here. */
  readonly failed: () => readonly string[];
  /** Runs when the program has ended in good order. */
  readonly atEnd: (run: () => void) => void;
}

/**
 * Looks for updates and fetches them while the program runs; installs them only when it has ended, so
 * that no request waits and no call runs.
 */
export function ownUpdates(parts: OwnUpdatesParts): OwnUpdates {
  let view = NOT_LOOKED;
  let program: UpdatesProgram | null = null;
  let opened: Promise<PackageUpdater> | null = null;
  let looking = false;
  let fetched: { readonly updater: PackageUpdater; readonly channel: Channel } | null = null;

  const become = (next: Partial<UpdatesView>): void => {
    view = { ...view, ...next };
    program?.changed();
  };

  async function look({ memory, now }: UpdatesProgram, channel: Channel): Promise<void> {
    fetched = null;
    become({ state: "looking", fault: null });
    opened ??= parts.open();
    const updater = await opened;
    const noted = `updates.newest.${channel}`;
    const newest = memory.value(noted) ?? null;
    const failed = parts.failed();
    const found = await updater.look({ channel, newest, failed, running: parts.version });
    await memory.putValue(noted, found.listed);
    become({ checked_at: now() });
    if (!found.offered) return become({ state: "idle", version: null });
    become({ state: "fetching", version: found.listed });
    await parts.keepCurrent();
    await updater.fetch();
    fetched = { updater, channel };
    become({ state: "ready" });
  }

  /** What was fetched counts only for the channel that the person is on. */
  const wanted = (): PackageUpdater | null => {
    if (program === null || fetched === null) return null;
    const counts = program.settings().updates && channelOf(program) === fetched.channel;
    return counts ? fetched.updater : null;
  };

  async function tryToLook(): Promise<void> {
    if (program === null || looking || !program.settings().updates || wanted() !== null) return;
    looking = true;
    const channel = channelOf(program);
    try {
      await look(program, channel);
    } catch (error) {
      const fault = feedError.is(error) ? error.code : "unreachable";
      become({ state: "idle", version: null, fault, checked_at: program.now() });
    } finally {
      looking = false;
    }
    // The person switched channels meanwhile.
    if (channelOf(program) !== channel) await tryToLook();
  }

  parts.atEnd(() => wanted()?.install());

  return {
    view: () => (view.state === "ready" && wanted() === null ? NOT_LOOKED : view),
    look() {
      // A switch alone can make what was ready count no longer.
      program?.changed();
      void tryToLook();
    },
    follow(running, signal) {
      program = running;
      let cancel = () => {};
      const again = (ms: number): void => {
        cancel = running.scheduler.after(ms, async () => {
          await tryToLook();
          if (!signal.aborted) again(LOOK_EVERY_MS);
        });
      };
      again(FIRST_LOOK_MS);
      signal.addEventListener("abort", () => cancel(), { once: true });
    },
  };
}
