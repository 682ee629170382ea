// An agent's permission hook, from a checkout (docs/hooks.md). An agent waits for it each time it uses a tool, so it
// is plain JavaScript, and loads what was built: one file, which it requires because that is faster than an import.

// Until there is an answer, and where nothing can be loaded: the exit code that every agent takes as a no.
process.exitCode = 2;

async function load() {
  try {
    const { createRequire } = process.getBuiltinModule("node:module");
    return createRequire(import.meta.url)("../dist/main/run-hook.cjs");
  } catch {
    // Nothing is built, or a build is just being replaced.
    return import("../main/channels/hooks/run-hook.ts");
  }
}

try {
  const { runHook } = await load();
  // At once: all is written, and Node would take its time to close what is open.
  process.exit(await runHook(process.argv.slice(2), "npm run --silent hook --"));
} catch (error) {
  console.error(error);
}
