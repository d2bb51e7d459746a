import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["{src,sim,scenarios,ledger,reports}/**/*.test.ts"], testTimeout: 60_000, pool: "forks" },
});
