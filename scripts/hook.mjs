// An agent's permission hook, from a checkout (docs/hooks.md). An agent waits for it each time it uses a tool, so it
// is plain JavaScript, and loads what was built: together a third of the time.

// Until there is an answer, and where nothing can be loaded: the exit code that every agent takes as a no.
process.exitCode = 2;
try {
  const { runHook } = await import("../dist/main/run-hook.js").catch(
    // Nothing is built, or a build is just being replaced.
    () => import("../main/channels/hooks/run-hook.ts"),
  );
  process.exitCode = await runHook(process.argv.slice(2), "npm run --silent hook --");
} catch (error) {
  console.error(error);
}
