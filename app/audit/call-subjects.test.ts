import { describe, expect, it } from "vitest";
import { callSubjects, SUBJECTS_MOST, searchedSubject } from "./call-subjects.ts";

describe("the subjects of a call", () => {
  it("are its path, the file's name and every folder above", () => {
    expect(callSubjects({ path: "/home/ada/Proj/notes.md" })).toEqual([
      "/home/ada/proj/notes.md",
      "notes.md",
      "/home/ada/proj",
      "/home/ada",
      "/home",
    ]);
    expect(callSubjects({ path: "c:\\Users\\Ada\\a.txt" })).toEqual([
      "c:\\users\\ada\\a.txt",
      "a.txt",
      "c:\\users\\ada",
      "c:\\users",
    ]);
  });

  it("are both ends of a move, before any folder", () => {
    const subjects = callSubjects({ from: "/a/x", to: "/b/y" });
    expect(subjects).toEqual(["/a/x", "/b/y", "x", "y", "/a", "/b"]);
  });

  it("are a host, and with its port where one is written", () => {
    expect(callSubjects({ url: "https://Example.com/a?b" })).toEqual(["example.com"]);
    expect(callSubjects({ url: "http://nas.local:8080/" })).toEqual([
      "nas.local",
      "nas.local:8080",
    ]);
  });

  it("are a program by its path and its name, the folder it runs in and paths among its words", () => {
    const args = { argv: ["/usr/bin/git", "-C", "/home/ada/p", "log"], directory: "/srv" };
    expect(callSubjects(args)).toEqual(
      expect.arrayContaining(["/usr/bin/git", "git", "/home/ada/p", "/home/ada", "/srv"]),
    );
    expect(callSubjects({ argv: ["git", "push"], directory: "/srv" })).toEqual([
      "/srv",
      "srv",
      "git",
    ]);
  });

  it("are never more than the most, and nothing of what a call contains besides", () => {
    const deep = `/${"d/".repeat(60)}`;
    const args = { from: `${deep}x`, to: `${deep}y`, content: "secret", text: "/etc/passwd" };
    const subjects = callSubjects(args);
    expect(subjects.length).toBeLessThanOrEqual(SUBJECTS_MOST);
    expect(subjects.slice(0, 2)).toEqual([`${deep}x`, `${deep}y`]);
    expect(callSubjects({ content: "secret", text: "hello" })).toEqual([]);
    expect(callSubjects({ path: "relative", argv: "git", url: "ftp://host/" })).toEqual([]);
  });
});

describe("what is typed to find calls", () => {
  it.each([
    ["/home/ada/Proj/", "/home/ada/proj"],
    ["c:/Users/Ada", "c:\\users\\ada"],
    [" Notes.md ", "notes.md"],
    ["https://Example.com/a?b", "example.com"],
    ["re\u0301sume\u0301.txt", "résumé.txt"],
    ["git", "git"],
  ])("%s is compared as %s", (typed, subject) => {
    expect(searchedSubject(typed)).toBe(subject);
  });

  it("is nothing for an empty text", () => {
    expect(searchedSubject("  ")).toBeNull();
    expect(searchedSubject("x".repeat(5000))).toBeNull();
  });

  it("is, for every subject of a call, that subject", () => {
    const args = { path: "/home/ada/a b.txt", url: "http://nas:81/", argv: ["/bin/Ls", "x"] };
    for (const subject of callSubjects(args)) expect(searchedSubject(subject)).toBe(subject);
  });
});
