import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { networkHostOf } from "../../../app/contract/network-host.ts";
import { HOSTILE_ADDRESSES, urlHost } from "../../../runtime/net/testing/hostile-addresses.ts";
import { fetchUrlTool } from "../fetch-url.ts";
import { holding } from "../testing/tool-context.ts";
import { watchOwnPorts } from "./own-ports.ts";
import { fakeNetwork, fetching, wordOf } from "./testing/fetching.ts";
import { type Answer, httpServer } from "./testing/local-server.ts";

const redirecting =
  (location: (path: string) => string, status = 302): Answer =>
  (response, { path }) => {
    response.writeHead(status, { location: location(path) }).end("not read");
  };

describe("a host", () => {
  it("that was not allowed is never connected to", async () => {
    await using server = await httpServer((response) => response.end());
    for (const host of ["127.0.0.1", "127.1", "2130706433", "localhost", "[::ffff:127.0.0.1]"]) {
      const url = `http://${host}:${server.port}/`;
      expect(await wordOf(fetching({ url }, { allow: [] }))).toBe("access_denied");
    }
    expect(server.connections()).toBe(0);
  });

  it("is allowed by its name, not by what it resolves to", async () => {
    await using server = await httpServer((response) => response.end());
    const url = `http://evil.test:${server.port}/`;
    const names = { "evil.test": [["127.0.0.1"]] };
    expect(await wordOf(fetching({ url }, { names }))).toBe("access_denied");
    expect(server.connections()).toBe(0);
  });

  it.each(HOSTILE_ADDRESSES)("is refused as %s, however it is named", async (address) => {
    const given = {
      allow: [],
      names: { "evil.test": [[address]], "mixed.test": [["8.8.8.8", address]] },
    };
    const urls = ["http://evil.test/", "http://mixed.test/", `http://${urlHost(address)}/`];
    for (const url of urls.filter((each) => URL.canParse(each))) {
      expect(await wordOf(fetching({ url }, given)), url).toBe("access_denied");
    }
  });

  it("is refused when it is this computer under a public address", async () => {
    const more = { names: { "me.test": [["93.184.215.14"]] }, own: ["93.184.215.14"] };
    expect(await wordOf(fetching({ url: "http://me.test/" }, more))).toBe("access_denied");
    const literal = { own: ["2606:4700:0:0::1"] };
    const url = "http://[2606:4700::1]/";
    expect(await wordOf(fetching({ url }, literal))).toBe("access_denied");
  });

  it("that answers differently the second time is asked once", async () => {
    await using server = await httpServer((response) => response.end("x"));
    const names = { "rebind.test": [["127.0.0.1"], ["10.0.0.1"]] };
    const more = { allow: ["rebind.test"], names };
    const network = fakeNetwork(more);
    const url = `http://rebind.test:${server.port}/`;
    expect(await fetching({ url }, more, network)).toMatchObject({ body: "x" });
    expect(network.asked).toEqual(["rebind.test"]);
  });
});

describe("a port of our own", () => {
  it.each([
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "localhost",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "192.168.1.5",
    "[fd00::5]",
  ])("is refused under every address of this computer, whatever was given: %s", async (host) => {
    await using server = await httpServer((response) => response.end("ours"));
    const { port } = server;
    const url = `http://${host}:${port}/`;
    const own = ["192.168.1.5", "fd00::5", "fe80::1"];
    const names = { localhost: [["127.0.0.1"]] };
    const allow = [networkHostOf(new URL(url))];
    expect(await wordOf(fetching({ url }, { allow, names, own, ownPorts: [port] }))).toBe(
      "access_denied",
    );
    expect(server.connections()).toBe(0);
    const network = fakeNetwork({ own });
    const tool = fetchUrlTool({ network, ownPorts: () => [port] });
    const refused = { kind: "refuse", word: "access_denied" };
    expect(tool.preflight({ url }, holding())).toEqual(refused);
  });

  it("is refused under a name that leads here, also a public one", async () => {
    await using server = await httpServer((response) => response.end("ours"));
    const { port } = server;
    const names = { "nas.test": [["127.0.0.1"]], "me.test": [["93.184.215.14"]] };
    for (const host of Object.keys(names)) {
      const more = { allow: [host], names, own: ["93.184.215.14"], ownPorts: [port] };
      expect(await wordOf(fetching({ url: `http://${host}:${port}/` }, more))).toBe(
        "access_denied",
      );
    }
    expect(server.connections()).toBe(0);
  });

  it("is not reached by a redirect, though its host was given with that port", async () => {
    await using ours = await httpServer((response) => response.end("ours"));
    await using server = await httpServer(redirecting(() => ours.url));
    const allow = [server, ours].map(({ port }) => ({ host: "127.0.0.1", port }));
    const more = { allow, ownPorts: [ours.port] };
    expect(await wordOf(fetching({ url: server.url }, more))).toBe("access_denied");
    expect(ours.connections()).toBe(0);
  });

  it("is any that this process listens on by then, and no more once it has closed", async () => {
    const watched = watchOwnPorts();
    const server = await httpServer((response) => response.end());
    expect(watched.list()).toEqual([server.port]);
    await server[Symbol.asyncDispose]();
    expect(watched.list()).toEqual([]);
    watched.end();
    await using later = await httpServer((response) => response.end());
    expect(watched.list()).not.toContain(later.port);
  });
});

describe("a redirect", () => {
  it.each([
    "http://10.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://0x7f000002/",
    "//localhost/",
    "http://me:secret@127.0.0.1/",
    "http://127.0.0.1:22/",
    "http://127.0.0.1:8099/",
    "http://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "http://[",
  ])("to what was not given is the result, and nobody is asked: %s", async (location) => {
    await using server = await httpServer(redirecting(() => location));
    const network = fakeNetwork({});
    expect(await fetching({ url: server.url }, {}, network)).toEqual({
      status_code: 302,
      headers: expect.objectContaining({ location }),
      body: "",
      body_encoding: "utf-8",
      url: `${server.url}/`,
    });
    expect(server.seen.length).toBe(1);
    expect(network.asked).toEqual([]);
    await server.deserted();
  });

  it("goes to any public host where the whole scope was given, and not inside", async () => {
    await using server = await httpServer(redirecting((path) => `http:/${path}`));
    const network = fakeNetwork({ names: { "in.test": [["10.0.0.1"]] } });
    const led = (to: string) =>
      wordOf(fetching({ url: `${server.url}/${to}` }, { wholeScope: true }, network));
    expect(await led("/unknown.test/")).toBe("network_error");
    expect(await led("/in.test/")).toBe("access_denied");
    expect(await led("/localhost/")).toMatchObject({ status_code: 302 });
    expect(network.asked).toEqual(["unknown.test", "in.test"]);
  });

  it("is followed five times and not a sixth", async () => {
    await using server = await httpServer((response, { path }) => {
      const step = Number(path.slice(1));
      if (step === 0) response.end("there");
      else response.writeHead(301, { location: `/${step - 1}` }).end();
    });
    expect(await fetching({ url: `${server.url}/5` })).toMatchObject({
      body: "there",
      url: `${server.url}/0`,
    });
    expect(await wordOf(fetching({ url: `${server.url}/6` }))).toBe("network_error");
  });

  it("to itself ends", async () => {
    await using server = await httpServer(redirecting((path) => path));
    expect(await wordOf(fetching({ url: server.url }))).toBe("network_error");
    expect(server.seen.length).toBe(6);
    await server.deserted();
  });

  it("that says not where is a result", async () => {
    await using server = await httpServer((response) => response.writeHead(302).end("lost"));
    expect(await fetching({ url: server.url })).toMatchObject({ status_code: 302, body: "lost" });
  });

  it.each([
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [303, "POST", "GET", ""],
    [307, "POST", "POST", "b"],
    [308, "POST", "POST", "b"],
    [301, "HEAD", "HEAD", ""],
    [303, "HEAD", "HEAD", ""],
    [307, "GET", "GET", ""],
  ] as const)("%i of a %s becomes a %s", async (status, method, next, body) => {
    await using server = await httpServer((response, { path }) => {
      if (path === "/end") response.end();
      else response.writeHead(status, { location: "/end" }).end();
    });
    const headers = { "Content-Type": "text/plain", Authorization: "x" };
    const request = { url: server.url, headers };
    if (method === "POST") await fetching({ ...request, method, body: "b" });
    else await fetching({ ...request, method });
    const seen = server.seen[1];
    expect(seen).toMatchObject({ method: next, body, headers: { authorization: "x" } });
    const kept = method === "POST" && next === "GET" ? undefined : "text/plain";
    expect(seen?.headers["content-type"]).toBe(kept);
  });

  it("to another origin takes no credentials along, also when it comes back", async () => {
    await using home = await httpServer((response) => response.end("home"));
    await using away = await httpServer(redirecting(() => `${home.url}/back`));
    await using first = await httpServer(redirecting(() => away.url));
    const headers = { AUTHORIZATION: "Bearer x", "X-Api-Key": "x", Accept: "a/b" };
    const allow = [first, away, home].map(({ port }) => ({ host: "127.0.0.1", port }));
    expect(await fetching({ url: first.url, headers }, { allow })).toMatchObject({ body: "home" });
    expect(first.seen[0]?.headers).toMatchObject({ authorization: "Bearer x", "x-api-key": "x" });
    for (const server of [away, home]) {
      expect(server.seen[0]?.headers).toMatchObject({ accept: "a/b" });
      expect(server.seen[0]?.headers).not.toHaveProperty("authorization");
      expect(server.seen[0]?.headers).not.toHaveProperty("x-api-key");
    }
  });

  it.each([307, 308])("%i takes a body to no other origin", async (status) => {
    await using away = await httpServer((response) => response.end("away"));
    await using server = await httpServer(redirecting(() => away.url, status));
    const allow = [server, away].map(({ port }) => ({ host: "127.0.0.1", port }));
    const sent = fetching({ url: server.url, method: "POST", body: "secret" }, { allow });
    expect(await sent).toMatchObject({ status_code: status, headers: { location: away.url } });
    expect(away.connections()).toBe(0);
  });

  it("keeps no cookie between its steps", async () => {
    await using server = await httpServer((response, { path }) => {
      if (path === "/end") response.end();
      else response.writeHead(302, { location: "/end", "set-cookie": "a=b" }).end();
    });
    await fetching({ url: server.url });
    expect(server.seen[1]?.headers).not.toHaveProperty("cookie");
  });
});

it.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
  ["deflate", deflateSync],
])("a %s bomb is too large, and is not unpacked", async (coding, compress) => {
  const bomb = compress(Buffer.alloc(64_000_000));
  expect(bomb.byteLength).toBeLessThan(100_000);
  await using server = await httpServer((response) => {
    response.setHeader("content-encoding", coding);
    response.end(bomb);
  });
  expect(await wordOf(fetching({ url: server.url }))).toBe("too_large");
  await server.deserted();
});

it("no proxy of the environment is asked", async () => {
  await using proxy = await httpServer((response) => response.end("proxy"));
  await using server = await httpServer((response) => response.end("server"));
  const names = ["http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) process.env[name] = proxy.url;
  try {
    expect(await fetching({ url: server.url })).toMatchObject({ body: "server" });
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
  expect(proxy.connections()).toBe(0);
});
