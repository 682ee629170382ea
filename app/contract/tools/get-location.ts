import Type from "typebox";

/** Decimal places of a degree that `coarse` leaves: about a kilometre. */
export const COARSE_DEGREE_PLACES = 2;
/** Metres that rounding to those places may move a point: half a step north and half a step east. */
export const COARSE_ERROR_M = 800;

export const getLocationSchema = Type.Object(
  {
    /**
     * `coarse` unless said: the town, rounded to about a kilometre. `fine`: as exactly as the
     * system tells. The person sees which one is asked for.
     */
    accuracy: Type.Optional(Type.Union([Type.Literal("coarse"), Type.Literal("fine")])),
  },
  { additionalProperties: false },
);
export type GetLocationArguments = Type.Static<typeof getLocationSchema>;

export const LOCATION_SOURCES = ["geoclue", "browser"] as const;
export type LocationSource = (typeof LOCATION_SOURCES)[number];

export interface GetLocationResult {
  /** Degrees north, -90 to 90 (WGS 84). */
  readonly latitude: number;
  /** Degrees east, -180 to 180 (WGS 84). */
  readonly longitude: number;
  /** Radius in metres within which the computer is taken to be. */
  readonly accuracy_m: number;
  /** When it was found, milliseconds since the epoch. */
  readonly timestamp: number;
  readonly source: LocationSource;
}

/** A place as `coarse` gives it away: rounded, and honest about how much that moved it. */
export const coarseLocation = <T extends GetLocationResult>(found: T): T => ({
  ...found,
  latitude: rounded(found.latitude),
  longitude: rounded(found.longitude),
  accuracy_m: Math.ceil(found.accuracy_m) + COARSE_ERROR_M,
});

const rounded = (degrees: number): number => Number(degrees.toFixed(COARSE_DEGREE_PLACES));
