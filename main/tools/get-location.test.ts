import { describe, expect, it } from "vitest";
import { catalogueEntry } from "../../app/contract/catalogue.ts";
import { getLocationTool } from "./get-location.ts";
import { type LocationFix, NO_SERVICES } from "./platform/platform-services.ts";
import { toolContext } from "./testing/tool-context.ts";

const HERE: LocationFix = {
  latitude: 52.520008,
  longitude: -13.404954,
  accuracy_m: 25.5,
  timestamp: 1_700_000_000_000,
  source: "geoclue",
};

function locating(fix: object = {}) {
  const asked: string[] = [];
  const find = async (accuracy: string) => {
    asked.push(accuracy);
    return { ...HERE, ...fix };
  };
  return { asked, tool: getLocationTool({ ...NO_SERVICES, location: () => ({ find }) }) };
}

/** Metres between two places, accurate enough for short distances. */
function metres(one: LocationFix, other: LocationFix): number {
  const north = (one.latitude - other.latitude) * 111_195;
  const east = (one.longitude - other.longitude) * 111_195 * Math.cos(one.latitude / 57.2958);
  return Math.hypot(north, east);
}

describe("get_location", () => {
  it("gives the town unless told otherwise, rounded, and says how wide that is", async () => {
    const { tool, asked } = locating();
    expect(await tool.run({}, toolContext())).toEqual({
      ...HERE,
      latitude: 52.52,
      longitude: -13.4,
      accuracy_m: 826,
    });
    await tool.run({ accuracy: "coarse" }, toolContext());
    expect(asked).toEqual(["coarse", "coarse"]);
  });

  it.each([
    [0.004999, 0.004999],
    [-0.005, 179.995],
    [45.005, -90.005],
    [89.994999, 0],
  ])(
    "the true place lies within the accuracy that coarse states (%d, %d)",
    async (latitude, longitude) => {
      const { tool } = locating({ latitude, longitude, accuracy_m: 0 });
      const told = (await tool.run({}, toolContext())) as unknown as LocationFix;
      expect(metres({ ...HERE, latitude, longitude }, told)).toBeLessThanOrEqual(told.accuracy_m);
    },
  );

  it("gives all it knows only for fine", async () => {
    const { tool, asked } = locating();
    expect(await tool.run({ accuracy: "fine" }, toolContext())).toEqual(HERE);
    expect(asked).toEqual(["fine"]);
  });

  it.each([
    { latitude: 90.1 },
    { latitude: Number.NaN },
    { longitude: -180.5 },
    { longitude: Number.POSITIVE_INFINITY },
    { accuracy_m: -1 },
    { accuracy_m: Number.POSITIVE_INFINITY },
    { timestamp: 1.5 },
    { timestamp: -1 },
  ])("takes %j for no place on earth", async (fix) => {
    const { tool } = locating(fix);
    await expect(tool.run({}, toolContext())).rejects.toMatchObject({ code: "location_error" });
  });

  it("passes on nothing that a provider says beside the place", async () => {
    const { tool } = locating({ description: "at home", speed: 3 });
    const told = await tool.run({ accuracy: "fine" }, toolContext());
    expect(told).toEqual(HERE);
  });

  it("is there exactly while somebody can find it, and unavailable when they left", async () => {
    const tool = getLocationTool(NO_SERVICES);
    expect(tool.available()).toBe(false);
    expect(locating().tool.available()).toBe(true);
    await expect(tool.run({}, toolContext())).rejects.toMatchObject({
      name: "ToolUnavailable",
      code: "no_provider",
    });
  });

  it("ends at once when aborted, and hides what a provider threw", async () => {
    const find = () => Promise.reject(new Error("52.5, 13.4"));
    const failing = getLocationTool({ ...NO_SERVICES, location: () => ({ find }) });
    const error: unknown = await failing.run({}, toolContext()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "location_error", message: "location_error" });
    const hanging = () => new Promise<LocationFix>(() => {});
    const tool = getLocationTool({ ...NO_SERVICES, location: () => ({ find: hanging }) });
    const abort = new AbortController();
    const run = tool.run({}, toolContext({ signal: abort.signal }));
    abort.abort();
    await expect(run).rejects.toMatchObject({ code: "cancelled" });
  });

  it("takes coarse, fine or nothing", () => {
    const accepts = (args: Record<string, string>) =>
      catalogueEntry("get_location")?.acceptsArguments(args);
    expect([{}, { accuracy: "coarse" }, { accuracy: "fine" }].map(accepts)).toEqual([
      true,
      true,
      true,
    ]);
    expect([{ accuracy: "exact" }, { precision: "fine" }].map(accepts)).toEqual([false, false]);
  });
});
