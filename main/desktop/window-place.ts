import { Type } from "typebox";
import { guardOf } from "../../app/contract/checked.ts";
import { jsonOf } from "../../app/contract/json.ts";

/** In device-independent pixels, as in Electron. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface WindowPlace extends Area {
  readonly maximized: boolean;
}

const Pixel = Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 });
const Length = Type.Integer({ minimum: 1, maximum: 1_000_000 });
const isPlace = guardOf(
  Type.Object(
    { x: Pixel, y: Pixel, width: Length, height: Length, maximized: Type.Boolean() },
    { additionalProperties: false },
  ),
);

/** Null if nothing was stored, or nothing usable. */
export function keptPlace(text: string | undefined): WindowPlace | null {
  const place = jsonOf(text);
  return isPlace(place) ? place : null;
}

/**
 * Moves a stored position onto the current screens: completely, on the one that it overlapped most.
 * Null if it overlapped none, for example because a screen was unplugged; the system then decides.
 * @param areas the screens without their bars and docks
 */
export function fitToScreens(place: WindowPlace, areas: readonly Area[]): WindowPlace | null {
  let best: Area | null = null;
  for (const area of areas) {
    const most = best === null ? 0 : overlap(place, best);
    if (overlap(place, area) > most) best = area;
  }
  if (best === null) return null;
  const width = Math.min(place.width, best.width);
  const height = Math.min(place.height, best.height);
  return {
    x: between(place.x, best.x, best.x + best.width - width),
    y: between(place.y, best.y, best.y + best.height - height),
    width,
    height,
    maximized: place.maximized,
  };
}

const between = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), most);

function overlap(one: Area, other: Area): number {
  const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, across) * Math.max(0, down);
}
