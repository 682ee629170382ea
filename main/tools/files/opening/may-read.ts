import { accessSync, constants } from "node:fs";

/** Whether this account may read it; nothing is opened. */
export function mayRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
