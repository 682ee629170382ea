import { describe, expect, it } from "vitest";
import {
  type BusCall,
  type BusReply,
  busError,
  type MessageBus,
} from "../../../dbus/message-bus.ts";
import { findWithGeoclue } from "./geoclue.ts";

const OWNER = ":1.7";
const CLIENT = "/org/freedesktop/GeoClue2/Client/1";
const PLACE = `${CLIENT}/Location/0`;
const PROPERTIES: Readonly<Record<string, unknown>> = {
  Latitude: { signature: "d", value: 52.52 },
  Longitude: { signature: "d", value: 13.4 },
  Accuracy: { signature: "d", value: 25 },
  Timestamp: { signature: "(tt)", value: [1_700_000_000n, 999_999n] },
};

type Answer = () => readonly unknown[];

/** A simulated GeoClue in memory. */
function memoryBus(member = "", instead: Answer = () => []) {
  const calls: BusCall[] = [];
  let tell: (heard: BusReply) => void = () => {};
  const start = () => {
    tell({ sender: OWNER, body: ["/", PLACE] });
    return [];
  };
  const usual = new Map<string, Answer>([
    ["GetClient", () => [CLIENT]],
    ["Start", start],
    ["GetAll", () => [PROPERTIES]],
  ]);
  const bus: MessageBus = {
    async call(request) {
      calls.push(request);
      const answer = request.member === member ? instead : usual.get(request.member);
      return { sender: OWNER, body: answer?.() ?? [] };
    },
    async hear(_signal, listener) {
      tell = listener;
    },
  };
  return { bus, calls, tell: (heard: BusReply) => tell(heard) };
}

const failing = (name: string | null) => () => {
  throw busError("bus_error", name === null ? {} : { details: name });
};
const wordWhen = (member: string, instead: Answer) =>
  findWithGeoclue(memoryBus(member, instead).bus, "fine").then(
    () => "found",
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );

describe("the conversation with GeoClue", () => {
  it("listens before it starts, and takes microseconds for what they are", async () => {
    const { bus, calls } = memoryBus();
    expect(await findWithGeoclue(bus, "coarse")).toEqual({
      latitude: 52.52,
      longitude: 13.4,
      accuracy_m: 25,
      timestamp: 1_700_000_000_999,
      source: "geoclue",
    });
    expect(calls.map(({ member }) => member)).toEqual([
      "GetClient",
      "Set",
      "Set",
      "Start",
      "GetAll",
    ]);
    expect(calls.at(-1)?.path).toBe(PLACE);
    expect(calls.every(({ destination }) => destination === "org.freedesktop.GeoClue2")).toBe(true);
  });

  it("waits past news of no location, and past signals that others forged", async () => {
    const { bus, calls, tell } = memoryBus("Start");
    const finding = findWithGeoclue(bus, "fine");
    await expect.poll(() => calls.some(({ member }) => member === "Start")).toBe(true);
    for (const body of [["/", "/"], [], [1, 2], ["/", "no path"], ["/", `${PLACE}'`]]) {
      tell({ sender: OWNER, body });
    }
    tell({ sender: ":1.66", body: ["/", "/org/freedesktop/GeoClue2/Client/2/Location/0"] });
    expect(calls.some(({ member }) => member === "GetAll")).toBe(false);
    tell({ sender: OWNER, body: ["/", PLACE] });
    expect(await finding).toMatchObject({ latitude: 52.52 });
    expect(calls.at(-1)?.path).toBe(PLACE);
  });

  it.each([
    [null, "no_provider"],
    ["org.freedesktop.DBus.Error.ServiceUnknown", "no_provider"],
    ["org.freedesktop.DBus.Error.NameHasNoOwner", "no_provider"],
    ["org.freedesktop.DBus.Error.Spawn.ChildExited", "no_provider"],
    ["org.freedesktop.systemd1.NoSuchUnit", "no_provider"],
    ["org.freedesktop.DBus.Error.AccessDenied", "access_denied"],
    ["org.freedesktop.DBus.Error.NoReply", "no_fix"],
    ["org.freedesktop.DBus.Error.TimedOut", "no_fix"],
    ["org.freedesktop.DBus.Error.UnknownMethod", "location_error"],
    ["org.freedesktop.DBus.Error.AccessDenied.x", "location_error"],
  ])("answers %s with %s, wherever it comes", async (name, word) => {
    for (const member of ["GetClient", "Set", "Start", "GetAll"]) {
      expect(await wordWhen(member, failing(name))).toBe(word);
    }
  });

  it.each<readonly [string, string, readonly unknown[]]>([
    ["a client that is no path", "GetClient", ["not a path"]],
    ["no client", "GetClient", []],
    ["no properties", "GetAll", []],
    ["a place without latitude", "GetAll", [{ ...PROPERTIES, Latitude: undefined }]],
    ["a latitude in words", "GetAll", [{ ...PROPERTIES, Latitude: { value: "52" } }]],
    ["no time", "GetAll", [{ ...PROPERTIES, Timestamp: { value: 7 } }]],
  ])("takes %s for a failure", async (_what, member, body) => {
    expect(await wordWhen(member, () => body)).toBe("location_error");
  });
});
