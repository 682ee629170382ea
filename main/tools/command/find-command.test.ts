import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { failureOf } from "../testing/tool-context.ts";
import { candidates, findCommand } from "./find-command.ts";
import { programFolders } from "./machine.ts";
import { CommandHarness } from "./testing/command-harness.ts";

describe("where a program may stand", () => {
  const posix = { platform: "posix", folders: ["/usr/bin", "/bin"] } as const;
  const windows = { platform: "win32", folders: ["C:\\Windows\\System32"] } as const;

  it("is in each of the fixed folders for a bare name, and only there for a path", () => {
    expect(candidates("git", posix)).toEqual(["/usr/bin/git", "/bin/git"]);
    expect(candidates("/opt/x/git", posix)).toEqual(["/opt/x/git"]);
    expect(candidates("-rf", posix)).toEqual(["/usr/bin/-rf", "/bin/-rf"]);
  });

  it("is nowhere for what would need resolving", () => {
    for (const name of [
      "",
      ".",
      "..",
      "./git",
      "bin/git",
      "/usr/../git",
      "/usr//git",
      "/",
      "a/",
      "/a\0",
    ]) {
      expect(candidates(name, posix), name).toEqual([]);
    }
  });

  it("on Windows is an .exe or .com, never what cmd.exe would interpret", () => {
    expect(candidates("git", windows)).toEqual(["C:\\Windows\\System32\\git.exe"]);
    expect(candidates("more.com", windows)).toEqual(["C:\\Windows\\System32\\more.com"]);
    expect(candidates("C:/tools/Git.EXE", windows)).toEqual(["C:\\tools\\Git.EXE"]);
    const refused = [
      ...["npm.cmd", "NPM.CMD", "a.bat", "C:\\a.bat", "C:\\a.cmd", "C:\\a.bat ", "C:\\a.exe."],
      ...["a.ps1", "C:\\a.bat::$DATA", "C:a.exe", "\\\\server\\share\\a.exe"],
      ...["\\\\?\\C:\\a.exe", "con", "C:\\a"],
    ];
    for (const name of refused) expect(candidates(name, windows), name).toEqual([]);
  });

  it("is no folder that our own environment chose, on POSIX systems", () => {
    const env = { PATH: "/evil", SystemRoot: "D:\\Win" };
    for (const platform of ["posix", "darwin"] as const) {
      const folders = programFolders(platform, env);
      expect(folders).not.toContain("/evil");
      expect(folders.every((folder) => folder.startsWith("/"))).toBe(true);
    }
    expect(programFolders("win32", env)[0]).toBe("D:\\Win\\System32");
  });
});

describe.skipIf(process.platform === "win32")("a program", () => {
  const placesOf = (harness: CommandHarness, folder: string, writable = [harness.root]) => ({
    ...{ platform: "posix" as const, folders: [folder], writable, ownFolders: [harness.data] },
  });

  it("that a bare name leads to is none of the agent's, also by way of a link", async () => {
    using harness = new CommandHarness();
    harness.script("mine", "true");
    const bin = `${harness.base}/bin`;
    mkdirSync(bin);
    symlinkSync(harness.inside("mine"), `${bin}/linked`);
    symlinkSync(harness.root, `${harness.base}/linked-folder`);
    expect(await failureOf(findCommand("linked", placesOf(harness, bin)))).toBe(
      "program_not_found",
    );
    expect(await failureOf(findCommand("mine", placesOf(harness, harness.root)))).toBe(
      "program_not_found",
    );
    const through = placesOf(harness, `${harness.base}/linked-folder`);
    expect(await failureOf(findCommand("mine", through))).toBe("program_not_found");
    const found = await findCommand("linked", placesOf(harness, bin, []));
    expect(found).toMatchObject({ path: `${bin}/linked`, program: harness.inside("mine") });
  });

  it("is nothing in our data, not even by its path", async () => {
    using harness = new CommandHarness();
    writeFileSync(`${harness.data}/tool`, "#!/bin/sh\n", { mode: 0o755 });
    symlinkSync(`${harness.data}/tool`, harness.inside("tool"));
    for (const path of [`${harness.data}/tool`, harness.inside("tool")]) {
      expect(await failureOf(findCommand(path, placesOf(harness, "/bin")))).toBe(
        "program_not_found",
      );
    }
  });

  it("is a regular file that may be run", async () => {
    using harness = new CommandHarness();
    const path = harness.script("tool", "true");
    const places = placesOf(harness, "/bin");
    expect((await findCommand(path, places)).program).toBe(path);
    chmodSync(path, 0o644);
    expect(await failureOf(findCommand(path, places))).toBe("program_not_found");
  });

  it("is another one once it was written to, replaced or led elsewhere", async () => {
    using harness = new CommandHarness();
    const path = harness.script("tool", "echo 1");
    const link = harness.inside("link");
    symlinkSync(path, link);
    const identity = async () => (await findCommand(link, placesOf(harness, "/bin"))).identity;
    const seen = [await identity()];
    expect(await identity()).toBe(seen[0]);
    harness.script("tool", "echo 2");
    seen.push(await identity());
    // Even if its times are restored.
    utimesSync(path, 1, 1);
    seen.push(await identity());
    rmSync(link);
    symlinkSync(harness.script("other", "echo 2"), link);
    seen.push(await identity());
    expect(new Set(seen).size).toBe(4);
  });
});
