import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CommandHarness, rootOf } from "./testing/command-harness.ts";
import { landlockOnly } from "./testing/landlock-only.ts";

const landlock = await landlockOnly();
const probe = { best: async () => landlock, forget: () => {} };

describe.skipIf(landlock === null)(
  "behind Landlock (needs setpriv 2.40, and a kernel that has it)",
  () => {
    const harness = CommandHarness.forEachTest({ probe });

    it("writing reaches the agent's folders only", async () => {
      const outside = join(harness.base, "outside.txt");
      writeFileSync(outside, "before");
      const read = join(harness.base, "only-read");
      mkdirSync(read);
      harness.roots.push(rootOf(read, "read"));
      for (const path of [outside, join(read, "x"), join(homedir(), "x"), "/var/tmp/x", "/x"]) {
        const { sandbox } = await harness.sh('echo after > "$1"; rm -f "$1"', path);
        expect(sandbox).toBe("landlock");
        expect(existsSync(path) ? readFileSync(path, "utf8") : "absent", path).toBe(
          path === outside ? "before" : "absent",
        );
      }
      await harness.sh('echo after > "$1"', harness.inside("x"));
      expect(readFileSync(harness.inside("x"), "utf8")).toBe("after\n");
    });

    it("nothing is read but the system and the agent's folders", async () => {
      const read = join(harness.base, "only-read");
      mkdirSync(read);
      writeFileSync(join(read, "shown.txt"), "shown");
      harness.roots.push(rootOf(read, "read"));
      expect(await harness.sh('cat "$1/shown.txt"', read)).toMatchObject({ stdout: "shown" });
      const script = 'cat "$1/secret.txt"; ls -A "$1" "$HOME/.." /root /home /var /srv /';
      expect(await harness.sh(script, harness.data)).toMatchObject({ stdout: "" });
    });

    it("its own temporary folder is its home, and gone afterwards", async () => {
      const script = 'echo x > "$HOME/.rc" && echo x > "$TMPDIR/y" && echo "$HOME"';
      const { exit_code, stdout } = await harness.sh(script);
      expect({ exit_code, left: existsSync(stdout.trim()) }).toEqual({ exit_code: 0, left: false });
    });

    it("no right can be gained", async () => {
      expect(await harness.sh("grep NoNewPrivs /proc/self/status")).toMatchObject({
        stdout: "NoNewPrivs:\t1\n",
      });
    });

    it("is left, and said to be, where a folder of the agent's holds our data", async () => {
      harness.roots.push(rootOf(harness.base));
      expect(await harness.sh("echo ok")).toMatchObject({ stdout: "ok\n", sandbox: null });
    });

    it("is left, and said to be, where a folder to be written holds one only to be read", async () => {
      mkdirSync(harness.inside("only-read"));
      harness.roots.push(rootOf(harness.inside("only-read"), "read"));
      expect(await harness.sh("echo ok")).toMatchObject({ stdout: "ok\n", sandbox: null });
    });
  },
);
