/**
 * Of the browser host's process. Without it V8 keeps up to 108 MiB for young objects while there is work; with
 * less than 16 calls take longer (docs/performance.md, "Starts and memory").
 */
export const NODE_FLAGS: readonly string[] = ["--max-semi-space-size=16"];

/**
 * Of the same process. With glibc's usual number of heaps, one for each thread, more of what is freed stays
 * with the process; with a single one, calls take longer. Other C libraries ignore it.
 */
export const NODE_ENVIRONMENT: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: "2" };
