import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installed } from "../../platform/testing/x-server.ts";
import { thisMachine } from "../machine.ts";
import type { Sandbox } from "../sandbox.ts";
import { SandboxProbe } from "../sandbox-probe.ts";

/** For tests: Landlock if it works here, even if the machine has a better sandbox. */
export async function landlockOnly(): Promise<Sandbox | null> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "consentry-landlock-")));
  try {
    // The programs that the probe needs, but not bubblewrap.
    for (const name of ["setpriv", "touch"]) {
      const program = installed(name);
      if (program !== null) symlinkSync(program, join(folder, name));
    }
    const found = await new SandboxProbe({ ...thisMachine(), folders: [folder] }, tmpdir()).best();
    if (found?.kind !== "landlock") return null;
    return { ...found, program: realpathSync(found.program) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
