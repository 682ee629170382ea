import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { ownLanguages } from "./own-languages.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Relative addresses, no inlined assets and no inline script: the pages have a strict CSP. */
export default defineConfig({
  root: here("."),
  base: "./",
  plugins: [react(), ownLanguages()],
  build: {
    outDir: here("../dist/renderer"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    // In KiB. The pages come from the same computer, so one file is as good as several. The largest
    // are the word lists for rating passwords, loaded only when somebody types one.
    chunkSizeWarningLimit: 3_000,
    rolldownOptions: { input: { index: here("index.html"), consent: here("consent.html") } },
  },
});
