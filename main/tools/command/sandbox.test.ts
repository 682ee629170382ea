import { describe, expect, it } from "vitest";
import { DEVICES, reportedExit } from "./bubblewrap.ts";
import type { Fence } from "./fence.ts";
import { canHide, canNarrow, privatePlaces, reachesNetwork, wrap } from "./sandbox.ts";
import { countsPerNamespace } from "./sandbox-probe.ts";

const folder = (path: string, fd: number | null) => ({
  ...{ path, fd, [Symbol.asyncDispose]: async () => {} },
});
const BUBBLEWRAP = {
  kind: "bubblewrap",
  program: "/usr/bin/bwrap",
  modern: true,
  prlimit: null,
} as const;
const LANDLOCK = {
  kind: "landlock",
  program: "/usr/bin/setpriv",
  places: ["/usr", DEVICES[0]],
} as const;
const SEATBELT = { kind: "sandbox-exec", program: "/usr/bin/sandbox-exec" } as const;
const HOSTILE = '/home/p/a") (allow default) ("';

const fence = (more: Partial<Fence> = {}): Fence => ({
  command: { path: "/usr/bin/tool", program: "/usr/bin/tool", identity: "" },
  args: ["--bind", "/", "/", "--"],
  directory: folder("/home/p/work/sub", 20),
  folders: [
    { folder: folder("/home/p/work", 11), writable: true },
    { folder: folder(HOSTILE, 12), writable: false },
  ],
  home: "/home/p",
  ownFolders: ["/home/p/data", "/home/p/.config/anchors"],
  temporary: "/tmp/t",
  network: false,
  ...more,
});

/** Whether these arguments appear in `argv` one after the other. */
const has = (argv: readonly string[], ...run: string[]): boolean =>
  argv.some((_, index) => run.every((each, offset) => argv[index + offset] === each));

describe("bubblewrap", () => {
  it("gets the agent's words behind -- alone", () => {
    const { argv } = wrap(BUBBLEWRAP, fence());
    const end = argv.indexOf("--");
    expect(argv.slice(end)).toEqual(["--", "/usr/bin/tool", "--bind", "/", "/", "--"]);
    expect(argv.slice(0, end)).not.toContain("--bind");
  });

  it("gets folders by descriptor, in their order, and hides our data after them", () => {
    const { argv, descriptors } = wrap(BUBBLEWRAP, fence());
    expect(descriptors).toEqual([11, 12]);
    expect(has(argv, "--bind-fd", "3", "/home/p/work", "--ro-bind-fd", "4", HOSTILE)).toBe(true);
    for (const own of ["/home/p/data", "/home/p/.config/anchors"]) {
      expect(has(argv, "--tmpfs", own, "--remount-ro", own)).toBe(true);
      expect(argv.lastIndexOf(own)).toBeGreaterThan(argv.indexOf(HOSTILE));
    }
    expect(has(argv, "--json-status-fd", "5")).toBe(true);
  });

  it("cuts the network unless it was asked for", () => {
    expect(wrap(BUBBLEWRAP, fence()).argv).toContain("--unshare-net");
    expect(wrap(BUBBLEWRAP, fence({ network: true })).argv).not.toContain("--unshare-net");
  });

  it("always has namespaces of its own, no rights, a session of its own, and our death for its own", () => {
    for (const modern of [true, false]) {
      const { argv } = wrap({ ...BUBBLEWRAP, modern }, fence({ network: true }));
      for (const option of ["user", "pid", "ipc", "uts"])
        expect(argv).toContain(`--unshare-${option}`);
      for (const option of ["--new-session", "--die-with-parent"]) expect(argv).toContain(option);
      expect(has(argv, "--cap-drop", "ALL")).toBe(true);
      expect(argv.includes("--disable-userns")).toBe(modern);
    }
  });

  it("limits processes from the inside, where the count is the namespace's", () => {
    const { argv } = wrap({ ...BUBBLEWRAP, prlimit: "/usr/bin/prlimit" }, fence());
    expect(
      has(argv, "--", "/usr/bin/prlimit", "--nproc=4096", "--core=0", "--", "/usr/bin/tool"),
    ).toBe(true);
    expect(["5.14.0", "5.15.2-x", "6.1.0", "10.0"].every(countsPerNamespace)).toBe(true);
    expect(["5.13.9", "5.4.0", "4.19", "", "x"].some(countsPerNamespace)).toBe(false);
  });

  it("brings a program along that lies elsewhere, with the name it goes by", () => {
    const command = { path: "/home/p/bin/one", program: "/home/p/lib/many", identity: "" };
    const { argv } = wrap(BUBBLEWRAP, fence({ command }));
    expect(has(argv, "--ro-bind", "/home/p/lib/many", "/home/p/lib/many")).toBe(true);
    expect(has(argv, "--ro-bind", "/home/p/lib/many", "/home/p/bin/one")).toBe(true);
    expect(wrap(BUBBLEWRAP, fence()).argv).not.toContain("--ro-bind");
  });

  it("leaves the system in place for accounts whose home is in it", () => {
    for (const home of ["/usr/sbin", "/", "/usr", "/proc"]) {
      expect(has(wrap(BUBBLEWRAP, fence({ home })).argv, "--tmpfs", home), home).toBe(false);
      expect(privatePlaces(BUBBLEWRAP, home, "/t")).toEqual({ home: "/tmp", temporary: "/tmp" });
    }
    expect(privatePlaces(BUBBLEWRAP, "/home/p", "/t").home).toBe("/home/p");
  });

  it("tells the program's exit from its own", () => {
    expect(reportedExit('{ "child-pid": 7 }\n{ "exit-code": 139 }\n')).toBe(139);
    expect(reportedExit('{ "child-pid": 7 }\n')).toBeNull();
    expect(reportedExit("")).toBeNull();
  });
});

describe("landlock", () => {
  it("opens folders by descriptor, and the last one is where the command runs", () => {
    const { argv, descriptors, cwd } = wrap(LANDLOCK, fence());
    expect(descriptors).toEqual([11, 12, 20]);
    expect(cwd).toBe("/proc/self/fd/5");
    const rules = argv.filter((each) => each.startsWith("path-beneath:"));
    expect(rules).toEqual([
      "path-beneath:execute,read-file,read-dir:/usr",
      "path-beneath:read-file,write-file:/dev/null",
      "path-beneath::/proc/self/fd/3",
      "path-beneath:execute,read-file,read-dir:/proc/self/fd/4",
      "path-beneath::/tmp/t",
    ]);
    expect(argv.slice(argv.indexOf("--"))).toEqual([
      "--",
      "/usr/bin/tool",
      "--bind",
      "/",
      "/",
      "--",
    ]);
    expect(has(argv, "--no-new-privs", "--pdeathsig", "KILL", "--landlock-access", "fs")).toBe(
      true,
    );
  });

  it("cannot hide our data inside an open folder, and cannot cut the network", () => {
    const own = ["/home/p/data", "/home/p/.config/anchors"];
    expect(canHide(LANDLOCK, own, [{ path: "/home/p" }])).toBe(false);
    expect(canHide(LANDLOCK, own, [{ path: "/home/p/.config" }])).toBe(false);
    expect(canHide(LANDLOCK, own, [{ path: "/home/p/work" }])).toBe(true);
    expect(canHide(BUBBLEWRAP, own, [{ path: "/home/p" }])).toBe(true);
    expect(reachesNetwork(LANDLOCK, false)).toBe(true);
    expect(reachesNetwork(null, false)).toBe(true);
    expect(reachesNetwork(BUBBLEWRAP, false)).toBe(false);
    expect(reachesNetwork(SEATBELT, true)).toBe(true);
  });
});

describe("a folder to be read in one to be written", () => {
  const paths = (inner: string) => [
    { path: "/home/p/work", writable: true },
    { path: inner, writable: false },
  ];

  it("is more than Landlock can hold, whose rules only open", () => {
    expect(canNarrow(LANDLOCK, paths("/home/p/work/sub"))).toBe(false);
    expect(canNarrow(BUBBLEWRAP, paths("/home/p/work/sub"))).toBe(true);
    expect(canNarrow(SEATBELT, paths("/home/p/work/sub"))).toBe(true);
  });

  it("is not one that lies beside it or around it", () => {
    expect(canNarrow(LANDLOCK, paths("/home/p/workshop"))).toBe(true);
    expect(canNarrow(LANDLOCK, paths("/home/p"))).toBe(true);
  });
});

describe("sandbox-exec", () => {
  it("gets paths as parameters, never in the profile", () => {
    const { argv } = wrap(SEATBELT, fence());
    const [flag, profile = ""] = argv;
    expect(flag).toBe("-p");
    expect(profile).not.toContain("/home/p");
    expect(profile).not.toContain("allow default");
    expect(has(argv, "-D", `FOLDER_1=${HOSTILE}`)).toBe(true);
    const used = [...profile.matchAll(/\(param "([^"]+)"\)/gu)].map(([, name]) => name);
    const defined = argv.flatMap((each, index) =>
      argv[index - 1] === "-D" ? [each.slice(0, each.indexOf("="))] : [],
    );
    expect(new Set(used)).toEqual(new Set(defined));
    expect(argv.slice(argv.indexOf("--"))).toEqual([
      "--",
      "/usr/bin/tool",
      "--bind",
      "/",
      "/",
      "--",
    ]);
  });

  it("has balanced brackets and denies what is not named", () => {
    const [, profile = ""] = wrap(SEATBELT, fence({ network: true })).argv;
    const count = (bracket: string) => profile.split(bracket).length;
    expect(count("(")).toBe(count(")"));
    expect(profile).toContain("(deny default)");
    expect(profile).toContain("(allow network*)");
    expect(wrap(SEATBELT, fence()).argv[1]).not.toContain("network");
  });

  it("lets no folder above ours, or above a read-only one, be renamed", () => {
    const inner = { folder: folder("/home/p/work/a/b", null), writable: false };
    const { argv } = wrap(SEATBELT, fence({ folders: [...fence().folders, inner] }));
    const [, profile = ""] = argv;
    const fixed = [...profile.matchAll(/deny file-write-unlink \(literal \(param "([^"]+)"/gu)];
    const places = fixed.map(([, name]) => argv.find((each) => each.startsWith(`${name}=`)));
    for (const path of ["/home/p/.config", "/home/p/work", "/home/p/work/a"]) {
      expect(
        places.filter((place) => place?.endsWith(`=${path}`)),
        path,
      ).toHaveLength(1);
    }
  });

  it("lets nothing come after the denial of our data that could undo it", () => {
    const [, profile = ""] = wrap(SEATBELT, fence()).argv;
    const after = profile.slice(
      profile.indexOf('(deny file-read* file-write* (subpath (param "OWN_0")))'),
    );
    expect(after).not.toBe(profile);
    expect(after).not.toContain("allow");
  });
});
