import { describe, expect, it } from "vitest";
import { readFlags } from "./flags.ts";

describe("the flags", () => {
  it("have a default each", () => {
    expect(readFlags([])).toEqual({
      host: null,
      port: 0,
      hubPort: null,
      dataDir: null,
      lang: null,
      open: true,
    });
  });

  it("are read", () => {
    const argv = ["--host", "browser", "--port", "4801", "--hub-port", "0", "--data-dir", "/d"];
    const more = ["--lang", "zh-CN", "--no-open", "--new-keys", "--passphrase-file", "/p"];
    expect(readFlags([...argv, ...more])).toEqual({
      host: "browser",
      port: 4801,
      hubPort: 0,
      dataDir: "/d",
      lang: "zh-CN",
      newKeys: true,
      passphraseFile: "/p",
      open: false,
    });
  });

  it("take another hub by its address, or by an invitation to it", () => {
    const invitation = `hsi_${"0aZ".repeat(13)}0`;
    expect(readFlags(["--hub", "https://hub.example"]).hub).toEqual({
      url: "https://hub.example",
      invitation: undefined,
    });
    const link = `http://127.0.0.1:4800/#${invitation}`;
    expect(readFlags(["--hub", link]).hub).toEqual({ url: "http://127.0.0.1:4800", invitation });
    for (const text of [
      ...["", "hub.example", "http://hub.example", "ftp://hub.example", "https://a:b@hub.example"],
      ...["https://hub.example/path", "https://hub.example/?x", "https://hub.example/#hsi_short"],
    ]) {
      expect(() => readFlags(["--hub", text]), text).toThrow(/--hub takes/);
    }
  });

  it("are listed by --help, each with what it is for, and nothing starts", () => {
    expect(() => readFlags(["--port", "x", "--help"])).toThrow(
      expect.objectContaining({ name: "HelpAsked" }),
    );
    expect(() => readFlags(["--help"])).toThrow(/--data-dir FOLDER {2,}where its data is\n/);
  });

  it("may be followed by the link that the system was asked to open, unread", () => {
    const { link, dataDir } = readFlags(["--data-dir", "/d", "consentry://open/agents"]);
    expect({ link, dataDir }).toEqual({ link: "consentry://open/agents", dataDir: "/d" });
  });

  it.each(["/home/ada/my data.consentry", "file:///home/ada/data.consentry", "C:\\data.consentry"])(
    "may be a file of ours alone, of which only that it was opened is kept: %s",
    (path) => expect(readFlags([path]).link).toBe("consentry:open/import"),
  );

  it.each([
    ["/home/ada/data.consentry", "--data-dir=/evil"],
    ["--colour=.consentry"],
    ["consentry://open/agents", "--data-dir=/evil"],
    ["consentry://open/agents", "consentry://open/home"],
    ["--port", "70000"],
    ["--port", "x"],
    ["--hub-port", "-1"],
    ["--host", "phone"],
    ["--lang", "tlh"],
    ["--passphrase-file", ""],
    ["--data-dir", ""],
    ["--colour"],
    ["stray"],
  ])("that are wrong are refused with a sentence: %s %s", (...argv) => {
    expect(() => readFlags(argv)).toThrow(expect.objectContaining({ name: "FlagError" }));
  });
});
