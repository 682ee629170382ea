import Type from "typebox";
import { bare } from "../target/targets.ts";
import { ownTool, READS, type ResultOf } from "./tool-contract.ts";

/** Decimal places of a degree that `coarse` leaves: about a kilometre. */
const COARSE_DEGREE_PLACES = 2;
/** Metres that rounding to those places may move a point: half a step north and half a step east. */
const COARSE_ERROR_M = 800;

const LOCATION_SOURCES = ["geoclue", "browser"] as const;

export const getLocation = ownTool({
  name: "get_location",
  scope: "location:read",
  leastSensitivity: "high",
  quiet: "scope",
  nature: READS,
  target: ({ arguments: { accuracy } }) =>
    bare(accuracy === "fine" ? "locate_exactly" : "locate", ["accuracy"]),
  example: {},
  arguments: Type.Object(
    {
      accuracy: Type.Optional(
        Type.Union([Type.Literal("coarse"), Type.Literal("fine")], {
          default: "coarse",
          description:
            "`coarse`: the town, rounded to about a kilometre. `fine`: as exactly as the system tells. The person sees which one is asked for.",
        }),
      ),
    },
    { additionalProperties: false, description: "Finds out where the person's computer is." },
  ),
  result: Type.Object(
    {
      latitude: Type.Number({
        minimum: -90,
        maximum: 90,
        description: "Degrees north (WGS 84).",
      }),
      longitude: Type.Number({
        minimum: -180,
        maximum: 180,
        description: "Degrees east (WGS 84).",
      }),
      accuracy_m: Type.Number({
        minimum: 0,
        description: "Radius in metres within which the computer is taken to be.",
      }),
      timestamp: Type.Integer({
        minimum: 0,
        description: "When it was found, milliseconds since the epoch.",
      }),
      source: Type.Enum(LOCATION_SOURCES, { description: "Who found it." }),
    },
    { additionalProperties: false },
  ),
  failures: ["location_error", "no_fix"],
});
export type GetLocationResult = ResultOf<typeof getLocation>;

/** A place as `coarse` reveals it: rounded, with an accuracy that includes the rounding. */
export const coarseLocation = <T extends GetLocationResult>(found: T): T => ({
  ...found,
  latitude: rounded(found.latitude),
  longitude: rounded(found.longitude),
  accuracy_m: Math.ceil(found.accuracy_m) + COARSE_ERROR_M,
});

const rounded = (degrees: number): number => Number(degrees.toFixed(COARSE_DEGREE_PLACES));
