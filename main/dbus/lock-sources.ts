import { busError, type MessageBus, type SignalName } from "./message-bus.ts";

/** https://www.freedesktop.org/software/systemd/man/org.freedesktop.login1.html */
const LOGIND = "org.freedesktop.login1";
const MANAGER = { path: "/org/freedesktop/login1", interface: `${LOGIND}.Manager` };
const PROPERTIES = "org.freedesktop.DBus.Properties";
const BUS = { path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus" };

/** Who tells of a locked screen on a session bus, and at which paths. All have the same interface. */
const SCREEN_SAVERS: Readonly<Record<string, readonly string[]>> = {
  "org.freedesktop.ScreenSaver": ["/org/freedesktop/ScreenSaver", "/ScreenSaver"],
  "org.gnome.ScreenSaver": ["/org/gnome/ScreenSaver"],
  "org.cinnamon.ScreenSaver": ["/org/cinnamon/ScreenSaver"],
  "org.mate.ScreenSaver": ["/org/mate/ScreenSaver"],
  "org.xfce.ScreenSaver": ["/org/xfce/ScreenSaver"],
};

/** Something that knows whether the screen is locked. */
export interface LockSource {
  readonly isLocked: () => Promise<boolean>;
  /** Calls back whenever the answer may be another. Anybody can cause that, so it only says: ask. */
  readonly onChange: (changed: () => void) => Promise<void>;
}

/** The session that logind shows on the person's screen; there may be none. */
export function logindSource(bus: MessageBus, uid: number): LockSource {
  const heard = new Set<string>();
  let told = (): void => {};
  const get = async (path: string, name: string, property: string): Promise<unknown> => {
    const at = { destination: LOGIND, path, interface: PROPERTIES, member: "Get" };
    const { body } = await bus.call({ ...at, signature: "ss", body: [name, property] });
    return inside(body[0]);
  };
  async function sessionPath(): Promise<string | null> {
    const at = { destination: LOGIND, ...MANAGER, member: "GetUser" };
    const { body } = await bus.call({ ...at, signature: "u", body: [uid] });
    const display = await get(String(body[0]), `${LOGIND}.User`, "Display");
    const path = Array.isArray(display) ? display[1] : null;
    return typeof path === "string" && path !== "/" ? path : null;
  }
  return {
    async isLocked() {
      const path = await sessionPath();
      if (path === null) return false;
      if (!heard.has(path)) {
        heard.add(path);
        await bus.hear({ path, interface: PROPERTIES, member: "PropertiesChanged" }, () => told());
      }
      return (await get(path, `${LOGIND}.Session`, "LockedHint")) === true;
    },
    async onChange(changed) {
      told = changed;
      for (const member of ["SessionNew", "SessionRemoved"]) {
        await bus.hear({ ...MANAGER, member }, changed);
      }
    },
  };
}

/** The screen savers that run on a session bus. None is started for it. */
export function screenSaverSources(bus: MessageBus): readonly LockSource[] {
  return Object.entries(SCREEN_SAVERS).flatMap(([name, paths]) =>
    paths.map((path) => screenSaverSource(bus, name, path)),
  );
}

function screenSaverSource(bus: MessageBus, name: string, path: string): LockSource {
  const ask = async (destination: string, at: SignalName, body: readonly string[]) => {
    const signature = "s".repeat(body.length);
    return (await bus.call({ destination, ...at, signature, body })).body[0] === true;
  };
  return {
    // A call alone would start one.
    isLocked: async () =>
      (await ask(BUS.interface, { ...BUS, member: "NameHasOwner" }, [name])) &&
      (await ask(name, { path, interface: name, member: "GetActive" }, [])),
    async onChange(changed) {
      await bus.hear({ path, interface: name, member: "ActiveChanged" }, changed);
      await bus.hear({ ...BUS, member: "NameOwnerChanged" }, ({ body }) => {
        if (body[0] === name) changed();
      });
    },
  };
}

/**
 * Follows a source: `tell` hears whether it is locked at first, and again whenever that may have
 * changed. One that knows nothing is not locked.
 * @throws BusError when the bus is gone
 */
export async function followLock(
  source: LockSource,
  tell: (locked: boolean) => void,
): Promise<void> {
  let asked = 0;
  const look = async (): Promise<void> => {
    asked += 1;
    const turn = asked;
    const locked = await known(source.isLocked());
    // Answers may overtake each other: the last question's counts.
    if (turn === asked) tell(locked);
  };
  await source.onChange(() => void look());
  await look();
}

async function known(answer: Promise<boolean>): Promise<boolean> {
  try {
    return await answer;
  } catch (error) {
    if (busError.is(error) && error.details !== undefined) return false;
    throw error;
  }
}

function inside(variant: unknown): unknown {
  return typeof variant === "object" && variant !== null && "value" in variant
    ? variant.value
    : null;
}
