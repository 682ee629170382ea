/**
 * Of the browser host's process. Without it V8 keeps up to 108 MiB for young objects while there is work; with
 * less than 16 calls take longer (docs/performance.md, "Starts and memory").
 */
export const NODE_FLAGS: readonly string[] = ["--max-semi-space-size=16"];

/**
 * Of the same process, for what it frees to go back to the system. With glibc's usual number of heaps, one for each
 * thread, more of it stays with the process; with a single one, calls take longer. glibc raises the second limit,
 * in bytes, with each large block that is freed, unless it is set. Other C libraries ignore both.
 */
export const NODE_ENVIRONMENT: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_TRIM_THRESHOLD_: "131072",
};
