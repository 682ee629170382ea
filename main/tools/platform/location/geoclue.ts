import { errorKind } from "../../../../app/contract/coded-error.ts";
import {
  type BusReply,
  busError,
  type MessageBus,
  type Variant,
} from "../../../dbus/message-bus.ts";
import type { LocationAccuracy, LocationFix } from "../platform-services.ts";

/** GeoClue2's interfaces: https://www.freedesktop.org/software/geoclue/docs/ */
const GEOCLUE = "org.freedesktop.GeoClue2";
const MANAGER = { path: "/org/freedesktop/GeoClue2/Manager", interface: `${GEOCLUE}.Manager` };
const CLIENT = `${GEOCLUE}.Client`;
const LOCATION = `${GEOCLUE}.Location`;
const PROPERTIES = "org.freedesktop.DBus.Properties";

/** The system's settings list us under this name, and may refuse us. */
const DESKTOP_ID = "consentry";

/** GClueAccuracyLevel: city, and exact. */
const LEVELS: Readonly<Record<LocationAccuracy, number>> = { coarse: 4, fine: 8 };

/** Only a valid object path is written into a match rule (D-Bus, "Valid Object Paths"). */
const OBJECT_PATH = /^(?:\/[A-Za-z0-9_]+)+$/;

/**
 * Asks GeoClue for the first location it finds. GeoClue drops its client when the connection ends,
 * so there is nothing to clean up.
 * @throws LocationFailure
 */
export async function findWithGeoclue(
  bus: MessageBus,
  accuracy: LocationAccuracy,
): Promise<LocationFix> {
  try {
    return await find(bus, accuracy);
  } catch (error) {
    if (busError.is(error)) throw locationFailure(wordOf(error.details ?? null));
    throw error;
  }
}

async function find(bus: MessageBus, accuracy: LocationAccuracy): Promise<LocationFix> {
  const call = (path: string, name: string, member: string) =>
    bus.call({ destination: GEOCLUE, path, interface: name, member, signature: "", body: [] });
  const { sender: owner, body } = await call(MANAGER.path, MANAGER.interface, "GetClient");
  const client = objectPath(body[0]);
  const set = (property: string, value: Variant) =>
    bus.call({
      destination: GEOCLUE,
      path: client,
      interface: PROPERTIES,
      member: "Set",
      signature: "ssv",
      body: [CLIENT, property, value],
    });
  await set("DesktopId", { signature: "s", value: DESKTOP_ID });
  await set("RequestedAccuracyLevel", { signature: "u", value: LEVELS[accuracy] });
  const found = await firstLocation(bus, client, owner);
  await call(client, CLIENT, "Start");
  const { body: properties } = await bus.call({
    destination: GEOCLUE,
    path: await found.path,
    interface: PROPERTIES,
    member: "GetAll",
    signature: "s",
    body: [LOCATION],
  });
  return fixOf(properties[0]);
}

/** Listens before `Start`: the first location may arrive before its reply. */
async function firstLocation(bus: MessageBus, client: string, owner: string) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const signal = { path: client, interface: CLIENT, member: "LocationUpdated" };
  await bus.hear(signal, ({ sender, body }: BusReply) => {
    const [, path] = body;
    // Any program on the bus can send this signal; only GeoClue's own counts.
    if (sender === owner && isObjectPath(path)) resolve(path);
  });
  return { path: promise };
}

/** "/" means none. */
const isObjectPath = (value: unknown): value is string =>
  typeof value === "string" && OBJECT_PATH.test(value);

function objectPath(value: unknown): string {
  if (!isObjectPath(value)) throw locationFailure("location_error");
  return value;
}

/** @throws LocationFailure `location_error` if these are not a location's properties */
function fixOf(properties: unknown): LocationFix {
  const timestamp = propertyOf(properties, "Timestamp");
  const [seconds, microseconds]: readonly unknown[] = Array.isArray(timestamp) ? timestamp : [];
  return {
    latitude: numberOf(propertyOf(properties, "Latitude")),
    longitude: numberOf(propertyOf(properties, "Longitude")),
    accuracy_m: numberOf(propertyOf(properties, "Accuracy")),
    timestamp: numberOf(seconds) * 1000 + Math.floor(numberOf(microseconds) / 1000),
    source: "geoclue",
  };
}

function propertyOf(properties: unknown, name: string): unknown {
  if (typeof properties !== "object" || properties === null) return undefined;
  const variant: unknown = Object.getOwnPropertyDescriptor(properties, name)?.value;
  return typeof variant === "object" && variant !== null && "value" in variant
    ? variant.value
    : undefined;
}

/** D-Bus counts seconds in 64 bits. */
function numberOf(value: unknown): number {
  const number = typeof value === "bigint" ? Number(value) : value;
  if (typeof number !== "number") throw locationFailure("location_error");
  return number;
}

const MISSING =
  /^org\.freedesktop\.(?:DBus\.Error\.(?:ServiceUnknown|NameHasNoOwner|Spawn\..+)|systemd1\..+)$/;
const REFUSED =
  /^org\.freedesktop\.DBus\.Error\.(?:AccessDenied|AuthFailed|InteractiveAuthorizationRequired)$/;
/** GeoClue's agent, which asks the person, did not answer in time. */
const SLOW = /^org\.freedesktop\.DBus\.Error\.(?:NoReply|Timeout|TimedOut)$/;

function wordOf(errorName: string | null) {
  if (errorName === null || MISSING.test(errorName)) return "no_provider";
  if (REFUSED.test(errorName)) return "access_denied";
  return SLOW.test(errorName) ? "no_fix" : "location_error";
}

/** The thread's input, and the only message it answers with. */
export interface LocationJob {
  /** The address of GeoClue's bus, in D-Bus notation. */
  readonly busAddress: string;
  readonly accuracy: LocationAccuracy;
}

const LOCATION_FAILURES = ["no_provider", "access_denied", "no_fix", "location_error"] as const;
export type LocationFailureWord = (typeof LOCATION_FAILURES)[number];

export type LocationAnswer =
  | { readonly ok: true; readonly fix: LocationFix }
  | { readonly ok: false; readonly word: LocationFailureWord };

export const locationFailure = errorKind<LocationFailureWord>("LocationFailure");
