import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { thisMachine } from "./machine.ts";
import { SandboxProbe } from "./sandbox-probe.ts";
import { CommandHarness, rootOf } from "./testing/command-harness.ts";

const probe = new SandboxProbe(thisMachine(), tmpdir());
const works = (await probe.best())?.kind === "bubblewrap";

/** Connects to a port of 127.0.0.1 and prints the result. */
const CONNECT = `require("node:net").connect(Number(process.argv[1]), "127.0.0.1")
  .on("error", (e) => console.log(e.code)).on("data", (d) => { console.log(String(d)); process.exit(); });`;

/** Whether bubblewrap alone can do everything we need on this machine. */
const canDo = (() => {
  const flags = ["user", "pid", "ipc", "uts", "net"].map((each) => `--unshare-${each}`);
  const view = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--die-with-parent"];
  const help = spawnSync("bwrap", ["--help"], { encoding: "utf8" });
  const tried = spawnSync("bwrap", [...flags, ...view, "--", "true"]);
  return tried.status === 0 && `${help.stdout}${help.stderr}`.includes("--ro-bind-fd");
})();

it("bubblewrap is found to work exactly where it does", () => {
  expect(works).toBe(canDo);
});

describe.skipIf(!works)("inside bubblewrap (needs bwrap, and a kernel that lets it)", () => {
  const harness = CommandHarness.forEachTest({ probe });

  it("writing reaches the agent's folders only", async () => {
    const outside = join(harness.base, "outside.txt");
    writeFileSync(outside, "before");
    mkdirSync(harness.inside("only-read"));
    harness.roots.push(rootOf(harness.inside("only-read"), "read"));
    const places = [outside, harness.inside("only-read", "x"), "/etc/x", "/usr/x", "/x", "/var/x"];
    for (const path of places) {
      await harness.sh('echo after > "$1"', path);
      expect(existsSync(path) ? readFileSync(path, "utf8") : "absent", path).toBe(
        path === outside ? "before" : "absent",
      );
    }
    await harness.sh('echo after > "$1"', harness.inside("x"));
    expect(readFileSync(harness.inside("x"), "utf8")).toBe("after\n");
  });

  it("a folder that may only be read stays so inside one that may be written, and the other way round", async () => {
    const outer = join(harness.base, "outer");
    const inner = join(outer, "inner");
    mkdirSync(inner, { recursive: true });
    harness.roots.push(rootOf(outer, "read"), rootOf(inner));
    await harness.sh('echo x > "$1/x"; echo x > "$1/inner/x"', outer);
    expect(existsSync(join(outer, "x"))).toBe(false);
    expect(existsSync(join(inner, "x"))).toBe(true);
  });

  it("a folder that may only be read stays so for the next command, since no folder above it can be renamed", async () => {
    mkdirSync(harness.inside("above", "read"), { recursive: true });
    harness.roots.push(rootOf(harness.inside("above", "read"), "read"));
    await harness.sh("mv above moved; mv above/read above/moved; true");
    await harness.sh('for each in */read */moved; do touch "$each/x"; done; true');
    expect(readdirSync(harness.root, { recursive: true }).toSorted()).toEqual([
      "above",
      join("above", "read"),
    ]);
  });

  it("nothing runs while a folder that may only be read cannot be opened, unless it is missing", async () => {
    mkdirSync(harness.inside("above", "read"), { recursive: true });
    harness.roots.push(rootOf(harness.inside("above", "read"), "read"));
    renameSync(harness.inside("above"), harness.inside("moved"));
    symlinkSync("moved", harness.inside("above"));
    await expect(harness.sh("touch moved/read/x")).rejects.toMatchObject({
      code: "not_a_directory",
    });
    rmSync(harness.inside("above"));
    expect(await harness.sh("touch x")).toMatchObject({ exit_code: 0 });
  });

  it("our data is not to be read, also where a folder of the agent's holds it", async () => {
    expect(await harness.sh('cat "$1/secret.txt"; ls -A "$1"', harness.data)).toMatchObject({
      stdout: "",
    });
    harness.roots.push(rootOf(harness.base));
    const script = 'cat "$1/secret.txt" || ls -A "$1"; touch "$1/x" && echo made';
    expect(await harness.sh(script, harness.data)).toMatchObject({ stdout: "" });
    expect(readFileSync(join(harness.data, "secret.txt"), "utf8")).toBe("ours");
  });

  it("our data stays hidden from the next command, since no folder above it can be renamed", async () => {
    using deep = new CommandHarness({ probe }, ["root", "above", "more", "data"]);
    const moves = "mv above moved; mv above/more above/moved; mv above/more/data above/more/moved";
    await deep.run(["sh", "-c", `${moves}; mkdir -p above/more/data; true`]);
    expect(readFileSync(join(deep.data, "secret.txt"), "utf8")).toBe("ours");
    expect(await deep.run(["grep", "-r", "ours", "."])).toMatchObject({ exit_code: 1, stdout: "" });
  });

  it("of the person's home, other disks and sockets nothing is seen", async () => {
    const { stdout } = await harness.sh(
      'ls -A "$HOME" /run /var /srv /mnt /media /home /root 2>/dev/null | grep -v :',
    );
    expect(
      stdout.split("\n").filter((line) => !["", "tmp", "current-system"].includes(line)),
    ).toEqual([]);
    expect((await harness.sh("ls -A /")).stdout.split("\n")).not.toContain("sys");
  });

  it("the home and /tmp are empty folders that can be written", async () => {
    const there = join(realpathSync(tmpdir()), "consentry-not-made-inside");
    const { exit_code } = await harness.sh(
      'ls -A "$HOME" | wc -l; echo x > "$HOME/.rc" && echo x > "$1"',
      there,
    );
    expect({ exit_code, made: existsSync(there) }).toEqual({ exit_code: 0, made: false });
  });

  it("no other process is seen, and no right is left", async () => {
    const { stdout } = await harness.sh(
      "ls /proc | grep -c '^[0-9]'; grep CapEff /proc/self/status; grep NoNew /proc/self/status",
    );
    const [count, rights = "", noNew = ""] = stdout.split("\n");
    expect(Number(count)).toBeLessThan(8);
    expect(rights).toMatch(/\t0+$/u);
    expect(noNew).toMatch(/1$/u);
  });

  it("no descriptor of a folder came along, by which one could climb out", async () => {
    const { stdout } = await harness.sh(
      'for each in /proc/self/fd/*; do [ -d "$each/" ] && readlink "$each"; done; true',
    );
    expect(stdout).toBe("");
  });

  it("the network is this machine's only where the person was told so", async () => {
    const server = createServer((socket) => socket.end("hello")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? String(address.port) : "";
    const argv = [process.execPath, "-e", CONNECT, "--", port];
    try {
      expect((await harness.run(argv)).stdout).toBe("ECONNREFUSED\n");
      expect((await harness.run(argv, { network: true })).stdout).toBe("hello\n");
    } finally {
      server.close();
    }
  });

  it("a program that lies in nobody's folder is brought along alone", async () => {
    const place = mkdtempSync(join(realpathSync(tmpdir()), "consentry-program-"));
    try {
      writeFileSync(join(place, "tool"), '#!/bin/sh\nls -A "$(dirname "$0")"\n', { mode: 0o755 });
      writeFileSync(join(place, "neighbour"), "");
      expect((await harness.run([join(place, "tool")])).stdout).toBe("tool\n");
    } finally {
      rmSync(place, { recursive: true });
    }
  });

  it("a root that is not there at the moment keeps no command from running", async () => {
    harness.roots.push(rootOf(join(harness.base, "unplugged"), "read"));
    expect((await harness.sh("echo ok")).stdout).toBe("ok\n");
  });

  it("a signal's death is the exit code that shells give it", async () => {
    expect(await harness.sh("kill -SEGV $$")).toMatchObject({ exit_code: 139, signal: null });
  });
});
