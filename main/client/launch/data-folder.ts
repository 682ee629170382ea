import { resolve } from "node:path";
import envPaths from "env-paths";

/**
 * The data folder: what the person asked for, else the platform's convention (XDG data home,
 * `~/Library/Application Support`, `%LOCALAPPDATA%`).
 */
export const dataFolder = (asked: string | null): string =>
  asked === null ? envPaths("Consentry", { suffix: "" }).data : resolve(asked);
