import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../app/contract/limits.ts";
import { COMMAND_MAX_OUTPUT_BYTES } from "../../app/contract/tools/run-command.ts";
import type { ToolProgress } from "../../app/execution/ports.ts";
import { thisMachine } from "./command/machine.ts";
import { CommandHarness, rootOf } from "./command/testing/command-harness.ts";
import { WAYS } from "./command/testing/ways.ts";
import { failureOf } from "./testing/tool-context.ts";

describe.skipIf(process.platform === "win32").each(WAYS)("a command $way", ({ options, kind }) => {
  const harness = CommandHarness.forEachTest(options);

  it("gives what it wrote, how it ended and what kept it in", async () => {
    const result = await harness.sh("echo out; echo err >&2; exit 3");
    expect(result).toEqual({
      exit_code: 3,
      signal: null,
      stdout: "out\n",
      stdout_encoding: "utf-8",
      stderr: "err\n",
      stderr_encoding: "utf-8",
      duration_ms: expect.any(Number),
      sandbox: kind,
    });
  });

  it("gets its arguments as they are", async () => {
    const hostile = [
      ...["-", "--", "-c", "--help", "--bind", "--ro-bind", "--share-net", "", " ", "\n", "a\nb"],
      ...["$(id)", "`id`", "$" + "{HOME}", "$HOME", ";", "; id", "&& id", "| id", "> x", "*", "?"],
      ...["[a]", "{a,b}", "~", "!!", "%PATH%", "%s%n", "\\", '"', "'", "'\"'"],
      ...["\u001b[31m", "\u202e", "žluť 🙈"],
    ];
    const show = "process.stdout.write(JSON.stringify(process.argv.slice(1)))";
    const { stdout, exit_code } = await harness.run([
      process.execPath,
      "-e",
      show,
      "--",
      ...hostile,
    ]);
    expect(exit_code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(hostile);
  });

  it("runs in its directory", async () => {
    mkdirSync(harness.inside("deep", "er"), { recursive: true });
    const { stdout } = await harness.run(["pwd", "-P"], {
      directory: harness.inside("deep", "er"),
    });
    expect(stdout).toBe(`${harness.inside("deep", "er")}\n`);
    await harness.run(["touch", "made"], { directory: harness.inside("deep") });
    expect(readFileSync(harness.inside("deep", "made"), "utf8")).toBe("");
  });

  it("has the stated environment and nothing else", async () => {
    process.env.CONSENTRY_TEST_SECRET = "no";
    process.env.LC_PAPER = "C";
    try {
      const { stdout } = await harness.run(["env", "-0"]);
      const got = Object.fromEntries(
        stdout
          .split("\0")
          .slice(0, -1)
          .map((line) => line.split(/=(.*)/su).slice(0, 2)),
      );
      const kept = Object.keys(process.env).filter((name) => /^(?:TZ|LC_[A-Z]+)$/u.test(name));
      expect(Object.keys(got).toSorted()).toEqual(
        [
          "CONSENTRY_COMMAND",
          "HOME",
          "LANG",
          "PATH",
          "PWD",
          "SHLVL",
          "TERM",
          "TMPDIR",
          ...kept,
        ].toSorted(),
      );
      expect(got).toMatchObject({ PWD: harness.root, TERM: "dumb", SHLVL: "1", LC_PAPER: "C" });
      expect(got.PATH).toBe(thisMachine().folders.join(":"));
    } finally {
      delete process.env.CONSENTRY_TEST_SECRET;
      delete process.env.LC_PAPER;
    }
  });

  it("has a folder for temporary files that is gone afterwards", async () => {
    const script = 'echo x > "$TMPDIR/file" && cat "$TMPDIR/file" && echo "$TMPDIR"';
    const { stdout } = await harness.sh(script);
    const [x, folder = ""] = stdout.split("\n");
    expect(x).toBe("x");
    expect(() => readFileSync(`${folder}/file`)).toThrow("ENOENT");
  });

  it("reads its standard input, and an empty one where there is none", async () => {
    expect((await harness.run(["cat"], { stdin: "žluť\n" })).stdout).toBe("žluť\n");
    expect((await harness.run(["cat"])).stdout).toBe("");
    const long = "x".repeat(65_536);
    expect((await harness.run(["true"], { stdin: long })).exit_code).toBe(0);
  });

  it("may write other bytes than text, and up to its limit of both streams together", async () => {
    const bytes = await harness.sh("printf 'a\\377'; printf '\\033\\033\\033\\033' >&2");
    expect(bytes).toMatchObject({ stdout: "Yf8=", stdout_encoding: "base64" });
    expect(bytes).toMatchObject({ stderr: "GxsbGw==", stderr_encoding: "base64" });
    const half = COMMAND_MAX_OUTPUT_BYTES / 2;
    const both = (more: number) =>
      `head -c ${half} /dev/zero | tr '\\0' '"'; head -c ${half + more} /dev/zero | tr '\\0' '"' >&2`;
    const full = await harness.sh(both(0));
    expect(full.stdout.length + full.stderr.length).toBe(COMMAND_MAX_OUTPUT_BYTES);
    expect(Buffer.byteLength(JSON.stringify(full))).toBeLessThan(LIMITS.resultBytes);
    expect(await failureOf(harness.sh(both(1)))).toBe("too_large");
  });

  it("tells how much it has written", async () => {
    const told: ToolProgress[] = [];
    await harness.run(["printf", "12345"], { progress: (report) => told.push(report) });
    expect(told.at(-1)).toMatchObject({ done: 5, total: null, unit: "bytes" });
    expect(told.at(-1)?.tail?.()).toEqual(["12345"]);
  });

  it("may close its streams and go on", async () => {
    const script = `exec >&- 2>&-; echo done > '${harness.inside("later")}'; exit 4`;
    expect(await harness.sh(script)).toMatchObject({ exit_code: 4, stdout: "" });
    expect(readFileSync(harness.inside("later"), "utf8")).toBe("done\n");
  });

  it("is not there: no such name, no such file, a folder, a file nobody may run", async () => {
    writeFileSync(harness.inside("plain"), "");
    for (const name of [
      "no-such-program",
      "",
      ".",
      "..",
      "./x",
      "sub/x",
      harness.root,
      harness.inside("plain"),
    ]) {
      expect(await failureOf(harness.run([name])), name).toBe("program_not_found");
    }
    expect(await failureOf(harness.run([harness.inside("missing")]))).toBe("program_not_found");
  });

  it("is never found by its bare name where the agent can write", async () => {
    harness.script("planted", "echo planted");
    expect(await failureOf(harness.run(["planted"]))).toBe("program_not_found");
    expect((await harness.run([harness.inside("planted")])).stdout).toBe("planted\n");
  });

  it("runs only in a folder that may be written, and never in ours", async () => {
    mkdirSync(harness.inside("only-read"));
    harness.roots.push(rootOf(harness.inside("only-read"), "read"), rootOf(harness.data));
    for (const directory of [harness.inside("only-read"), harness.base, harness.data]) {
      expect(await failureOf(harness.run(["true"], { directory })), directory).toBe(
        "outside_roots",
      );
    }
    expect(await failureOf(harness.run(["true"], { directory: harness.inside("none") }))).toBe(
      "not_found",
    );
    symlinkSync(harness.base, harness.inside("link"));
    expect(await failureOf(harness.run(["true"], { directory: harness.inside("link") }))).not.toBe(
      "no failure",
    );
  });

  it("runs nothing any more once our data folder was moved", async () => {
    expect((await harness.run(["true"])).exit_code).toBe(0);
    renameSync(harness.data, `${harness.base}/moved`);
    expect(await failureOf(harness.run(["true"]))).toBe("io_error");
    mkdirSync(harness.data);
    expect(await failureOf(harness.run(["true"]))).toBe("io_error");
  });

  it("is what was shown, or does not run", async () => {
    const path = harness.script("tool", "echo one");
    const { seen } = await harness.preview([path]);
    expect((await harness.run([path], { seen })).stdout).toBe("one\n");
    harness.script("tool", "echo two, longer");
    expect(await failureOf(harness.run([path], { seen }))).toBe("changed_since_shown");
    const other = await harness.preview([path]);
    expect(await failureOf(harness.run(["true"], { seen: other.seen }))).toBe(
      "changed_since_shown",
    );
  });

  it("is shown as the file it is, with its reach", async () => {
    symlinkSync(harness.script("real", "true"), harness.inside("alias"));
    const { shown } = await harness.preview([harness.inside("alias")]);
    expect(shown).toEqual({
      kind: "command",
      program: harness.inside("real"),
      sandbox: kind,
      network: kind === null || kind === "landlock",
    });
    const online = await harness.preview(["true"], { network: true });
    expect(online.shown).toMatchObject({ network: true });
    expect(await failureOf(harness.preview(["no-such-program"]))).toBe("program_not_found");
  });

  it("is not shown where its folder is missing, no folder, or behind a link", async () => {
    writeFileSync(harness.inside("file"), "");
    mkdirSync(harness.inside("folder"));
    symlinkSync(harness.inside("folder"), harness.inside("link"));
    const shown = (name: string) =>
      failureOf(harness.preview(["true"], { directory: harness.inside(name) }));
    expect(await shown("missing")).toBe("not_found");
    expect(await shown("file")).toBe("not_a_directory");
    expect(await shown("link")).toBe("not_a_directory");
    expect(await shown("folder")).toBe("no failure");
  });

  it("keeps the name it was called by, on which programs with many names go", async () => {
    const path = harness.script("many", 'basename "$0"');
    symlinkSync(path, harness.inside("one-of-many"));
    expect((await harness.run([harness.inside("one-of-many")])).stdout).toBe("one-of-many\n");
  });
});

it.skipIf(process.platform === "win32")(
  "a command that is cancelled while its sandbox is tried ends at once",
  async () => {
    using harness = new CommandHarness({
      probe: { best: () => new Promise(() => {}), forget: () => {} },
    });
    const stop = new AbortController();
    const running = failureOf(harness.run(["true"], { signal: stop.signal }));
    stop.abort();
    expect(await running).toBe("cancelled");
  },
);
