// node --import ./e2e/electron-double/register.mjs dist/main/desktop-main.js
import { registerHooks } from "node:module";

const double = new URL("./electron.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "electron" ? { url: double, shortCircuit: true } : next(specifier, context),
});
