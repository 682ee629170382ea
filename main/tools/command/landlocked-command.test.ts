import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandHouse, rootOf } from "./testing/command-house.ts";
import { landlockOnly } from "./testing/landlock-only.ts";

const landlock = await landlockOnly();
const probe = { best: async () => landlock, forget: () => {} };

describe.skipIf(landlock === null)(
  "behind Landlock (needs setpriv 2.40, and a kernel that has it)",
  () => {
    let house: CommandHouse;
    beforeEach(() => {
      house = new CommandHouse({ probe });
    });
    afterEach(() => house[Symbol.dispose]());

    const sh = (script: string, ...args: string[]) =>
      house.run(["sh", "-c", script, "sh", ...args]);

    it("writing reaches the agent's folders only", async () => {
      const outside = join(house.base, "outside.txt");
      writeFileSync(outside, "before");
      const read = join(house.base, "only-read");
      mkdirSync(read);
      house.roots.push(rootOf(read, "read"));
      for (const path of [outside, join(read, "x"), join(homedir(), "x"), "/var/tmp/x", "/x"]) {
        const { sandbox } = await sh('echo after > "$1"; rm -f "$1"', path);
        expect(sandbox).toBe("landlock");
        expect(existsSync(path) ? readFileSync(path, "utf8") : "absent", path).toBe(
          path === outside ? "before" : "absent",
        );
      }
      await sh('echo after > "$1"', house.inside("x"));
      expect(readFileSync(house.inside("x"), "utf8")).toBe("after\n");
    });

    it("nothing is read but the system and the agent's folders", async () => {
      const read = join(house.base, "only-read");
      mkdirSync(read);
      writeFileSync(join(read, "shown.txt"), "shown");
      house.roots.push(rootOf(read, "read"));
      expect(await sh('cat "$1/shown.txt"', read)).toMatchObject({ stdout: "shown" });
      const script = 'cat "$1/secret.txt"; ls -A "$1" "$HOME/.." /root /home /var /srv /';
      expect(await sh(script, house.data)).toMatchObject({ stdout: "" });
    });

    it("its own temporary folder is its home, and gone afterwards", async () => {
      const script = 'echo x > "$HOME/.rc" && echo x > "$TMPDIR/y" && echo "$HOME"';
      const { exit_code, stdout } = await sh(script);
      expect({ exit_code, left: existsSync(stdout.trim()) }).toEqual({ exit_code: 0, left: false });
    });

    it("no right can be gained", async () => {
      expect(await sh("grep NoNewPrivs /proc/self/status")).toMatchObject({
        stdout: "NoNewPrivs:\t1\n",
      });
    });

    it("is left, and said to be, where a folder of the agent's holds our data", async () => {
      house.roots.push(rootOf(house.base));
      expect(await sh("echo ok")).toMatchObject({ stdout: "ok\n", sandbox: null });
    });

    it("is left, and said to be, where a folder to be written holds one only to be read", async () => {
      mkdirSync(house.inside("only-read"));
      house.roots.push(rootOf(house.inside("only-read"), "read"));
      expect(await sh("echo ok")).toMatchObject({ stdout: "ok\n", sandbox: null });
    });
  },
);
