/**
 * Of the browser host's process. Without it V8 keeps up to 108 MiB for young objects while there is work; with
 * less than 16 calls take longer (docs/performance.md, "Starts and memory").
 */
export const NODE_FLAGS: readonly string[] = ["--max-semi-space-size=16"];
