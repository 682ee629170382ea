import type { EventEmitter } from "node:events";
import * as dbus from "@jellybrick/dbus-next";
import { onTestFinished } from "vitest";
import type { AtEnd } from "./bus-daemon.ts";

/** A service of the test's own that knows whether the screen is locked. */
export interface FakeLock {
  /** What was asked of it, in order. */
  readonly asked: readonly string[];
  /** Locks or unlocks the screen, and says so. */
  set(locked: boolean): void;
  /** Anybody's signal that says the opposite of what is true. */
  lie(): void;
  close(): void;
}

const LOGIND = "org.freedesktop.login1";
const USER = "/org/freedesktop/login1/user/_31000";
/** The session on the person's screen. Another of theirs, over the network say, is at another path. */
const SESSION = "/org/freedesktop/login1/session/_32";
const PROPERTIES = "org.freedesktop.DBus.Properties";

/** @param display false: the person has no session on a screen */
export function fakeLogind(
  address: string,
  uid: number,
  display = true,
  atEnd: AtEnd = onTestFinished,
): Promise<FakeLock> {
  const shown = display ? ["2", SESSION] : ["", "/"];
  return fakeService(address, LOGIND, atEnd, {
    answer(message, locked) {
      const { member, path, body } = message;
      if (member === "GetUser" && body[0] === uid) return ["o", USER];
      if (path === USER && body[1] === "Display") return ["v", new dbus.Variant("(so)", shown)];
      if (path === SESSION && body[1] === "LockedHint") return ["v", new dbus.Variant("b", locked)];
      return null;
    },
    signal(locked) {
      const changed = { LockedHint: new dbus.Variant("b", locked) };
      const body = [`${LOGIND}.Session`, changed, []];
      return dbus.Message.newSignal(SESSION, PROPERTIES, "PropertiesChanged", "sa{sv}as", body);
    },
  });
}

export function fakeScreenSaver(
  address: string,
  name: string,
  path: string,
  atEnd: AtEnd = onTestFinished,
): Promise<FakeLock> {
  return fakeService(address, name, atEnd, {
    answer: ({ member, path: at }, locked) =>
      member === "GetActive" && at === path ? ["b", locked] : null,
    signal: (locked) => dbus.Message.newSignal(path, name, "ActiveChanged", "b", [locked]),
  });
}

async function fakeService(
  address: string,
  name: string,
  atEnd: AtEnd,
  speech: {
    /** Signature and value; null: there is no such thing here. */
    answer(message: dbus.Message, locked: boolean): readonly [string, unknown] | null;
    signal(locked: boolean): dbus.Message;
  },
): Promise<FakeLock> {
  const bus = dbus.sessionBus({ busAddress: address });
  // The test may take the bus away before it closes this.
  const events: EventEmitter = bus;
  events.on("error", () => {});
  const asked: string[] = [];
  let locked = false;
  bus.addMethodHandler((message: dbus.Message) => {
    asked.push(message.member);
    const reply = speech.answer(message, locked);
    const unknown = "org.freedesktop.DBus.Error.UnknownObject";
    bus.send(
      reply === null
        ? dbus.Message.newError(message, unknown, "no")
        : dbus.Message.newMethodReturn(message, reply[0], [reply[1]]),
    );
    return true;
  });
  await bus.requestName(name, 0);
  atEnd(() => bus.disconnect());
  return {
    asked,
    set(now) {
      locked = now;
      bus.send(speech.signal(now));
    },
    lie: () => bus.send(speech.signal(!locked)),
    close: () => bus.disconnect(),
  };
}
