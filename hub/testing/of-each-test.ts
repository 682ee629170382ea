import { afterEach, beforeEach } from "vitest";
import type { HubRig, RigOptions } from "./hub-rig.ts";

/** Starts this hub before each test of the file, and ends it after. */
export function ofEachTest<Rig extends HubRig>(rig: Rig, options: RigOptions = {}): Rig {
  beforeEach(async () => {
    await rig.start(options);
  });
  afterEach(() => rig.end());
  return rig;
}
