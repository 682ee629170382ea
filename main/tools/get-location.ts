import { coarseLocation, getLocation } from "../../app/contract/tools/get-location.ts";
import { type Tool, toolFailure } from "../../app/execution/ports.ts";
import { defineTool } from "./define-tool.ts";
import {
  type LocationFix,
  type PlatformServices,
  platformCall,
  provided,
} from "./platform/platform-services.ts";

/** `get_location` (contract §4). */
export function getLocationTool(platform: PlatformServices): Tool {
  return defineTool(getLocation, {
    available: () => platform.location() !== null,
    run: ({ accuracy = "coarse" }, { signal }) =>
      platformCall("location_error", signal, async () => {
        const found = onEarth(await provided(platform.location()).find(accuracy, signal));
        // Systems are asked for coarse accuracy, but may return more.
        return accuracy === "coarse" ? coarseLocation(found) : found;
      }),
  });
}

/**
 * A provider's numbers are outside data. Fields are copied one by one, so that nothing else passes.
 */
function onEarth(fix: LocationFix): LocationFix {
  const { latitude, longitude, accuracy_m, timestamp, source } = fix;
  const isPlace =
    Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && accuracy_m >= 0 && timestamp >= 0;
  if (!isPlace || !Number.isFinite(accuracy_m) || !Number.isSafeInteger(timestamp)) {
    throw toolFailure("location_error");
  }
  return { latitude, longitude, accuracy_m, timestamp, source };
}
