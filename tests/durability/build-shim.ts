import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("fault-shim.c", import.meta.url));

/** Why faults cannot be injected on this machine; null: they can. */
export function whyNoShim(): string | null {
  if (process.platform !== "linux") return "LD_PRELOAD is Linux's";
  try {
    execFileSync("cc", ["--version"], { stdio: "ignore" });
    return null;
  } catch {
    return "there is no C compiler (cc)";
  }
}

/** @returns the path of the shared object, in `folder` */
export function buildShim(folder: string): string {
  const file = join(folder, "fault-shim.so");
  const flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"];
  execFileSync("cc", [...flags, "-o", file, SOURCE, "-ldl"], { stdio: ["ignore", "pipe", "pipe"] });
  return file;
}
