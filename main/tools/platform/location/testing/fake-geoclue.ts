import type { EventEmitter } from "node:events";
import * as dbus from "@jellybrick/dbus-next";
import { onTestFinished } from "vitest";

/** How the fake reacts to `Start`. */
export type StartBehaviour =
  | { readonly kind: "found" }
  | { readonly kind: "refuse"; readonly error: string }
  | { readonly kind: "silent" };

/** Berlin, in GeoClue's format. */
export const BERLIN = {
  Latitude: 52.520008,
  Longitude: 13.404954,
  Accuracy: 25.5,
  Timestamp: [1_700_000_000n, 250_000n] as const,
};

export interface FakeGeoclue {
  /** What it was asked, in order, with the values set. */
  readonly asked: readonly string[];
  /** Resolves at the next `Start`, to the unique name of its caller. */
  started(): Promise<string>;
}

const GEOCLUE = "org.freedesktop.GeoClue2";
const CLIENT_PATH = "/org/freedesktop/GeoClue2/Client/1";
const LOCATION_PATH = "/org/freedesktop/GeoClue2/Client/1/Location/0";

/** A fake GeoClue2 on a real bus. */
export async function startFakeGeoclue(
  address: string,
  behaviour: StartBehaviour,
): Promise<FakeGeoclue> {
  const bus = dbus.sessionBus({ busAddress: address });
  onTestFinished(() => bus.disconnect());
  // The test may stop the bus before it closes this.
  const events: EventEmitter = bus;
  events.on("error", () => {});
  const asked: string[] = [];
  const starts: ((sender: string) => void)[] = [];
  bus.addMethodHandler((message: dbus.Message) => {
    const heard = heardOf(message);
    asked.push(heard);
    for (const reply of repliesTo(message, behaviour)) bus.send(reply);
    if (heard === "Start") for (const started of starts.splice(0)) started(message.sender);
    return true;
  });
  await bus.requestName(GEOCLUE, 0);
  return {
    asked,
    started: () => new Promise((resolve) => starts.push(resolve)),
  };
}

function heardOf({ member, body }: dbus.Message): string {
  const [, name, value] = body;
  return value instanceof dbus.Variant ? `${String(name)}=${String(value.value)}` : member;
}

function repliesTo(message: dbus.Message, behaviour: StartBehaviour): readonly dbus.Message[] {
  switch (message.member) {
    case "GetClient":
      return [dbus.Message.newMethodReturn(message, "o", [CLIENT_PATH])];
    case "Start":
      return repliesToStart(message, behaviour);
    case "GetAll":
      return [dbus.Message.newMethodReturn(message, "a{sv}", [PROPERTIES])];
    default:
      return [dbus.Message.newMethodReturn(message, "", [])];
  }
}

function repliesToStart(message: dbus.Message, behaviour: StartBehaviour): readonly dbus.Message[] {
  if (behaviour.kind === "refuse") return [dbus.Message.newError(message, behaviour.error, "no")];
  const done = dbus.Message.newMethodReturn(message, "", []);
  // GeoClue first reports that it has no location yet.
  if (behaviour.kind === "silent") return [updated("/"), done];
  return [updated("/"), updated(LOCATION_PATH), done];
}

const updated = (now: string): dbus.Message =>
  dbus.Message.newSignal(CLIENT_PATH, `${GEOCLUE}.Client`, "LocationUpdated", "oo", ["/", now]);

const PROPERTIES = {
  Latitude: new dbus.Variant("d", BERLIN.Latitude),
  Longitude: new dbus.Variant("d", BERLIN.Longitude),
  Accuracy: new dbus.Variant("d", BERLIN.Accuracy),
  Description: new dbus.Variant("s", "Berlin"),
  Timestamp: new dbus.Variant("(tt)", [...BERLIN.Timestamp]),
};
