import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["**/*.test.{ts,tsx}"],
    exclude: ["**/node_modules/**", "dist/**", "e2e/**", ".types/**"],
    testTimeout: 20_000,
  },
});
