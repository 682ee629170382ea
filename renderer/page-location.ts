import type { CallArgs } from "../app/bridge/calls.ts";

type Outcome = Pick<CallArgs<"page.answer">, "ok" | "position" | "word">;

/** In milliseconds; shorter than the host's time limit for a page. */
const FIND_MS = 115_000;
/** In milliseconds: the town a person is in does not change that fast. */
const COARSE_AGE_MS = 600_000;

/** True unless the person has forbidden it for this page; the browser asks them when it is used. */
export async function canFindLocation(): Promise<boolean> {
  if (!("geolocation" in navigator)) return false;
  try {
    const { state } = await navigator.permissions.query({ name: "geolocation" });
    return state !== "denied";
  } catch {
    // A browser without this query reports it when asked for a location.
    return true;
  }
}

export function findLocation(accuracy: "coarse" | "fine"): Promise<Outcome> {
  const fine = accuracy === "fine";
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      (found) => resolve({ ok: true, position: positionOf(found) }),
      (error) => resolve({ ok: false, word: wordOf(error) }),
      { enableHighAccuracy: fine, timeout: FIND_MS, maximumAge: fine ? 0 : COARSE_AGE_MS },
    );
  });
}

const positionOf = ({ coords, timestamp }: GeolocationPosition) => ({
  latitude: coords.latitude,
  longitude: coords.longitude,
  accuracy_m: coords.accuracy,
  timestamp: Math.floor(timestamp),
});

const wordOf = ({ code, PERMISSION_DENIED }: GeolocationPositionError) =>
  code === PERMISSION_DENIED ? "access_denied" : "no_fix";
