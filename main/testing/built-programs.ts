import { builtPrograms } from "../client/launch/launch-options.ts";

/** As the client starts them: from source, each thread would compile some hundred files. */
export const PROGRAMS = builtPrograms(new URL("../../dist/main/", import.meta.url));
