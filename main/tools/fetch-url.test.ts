import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { FETCH_MAX_BODY_BYTES } from "../../app/contract/tools/fetch-url.ts";
import type { ToolProgress } from "../../app/execution/ports.ts";
import { fetching, wordOf } from "./fetch/testing/fetching.ts";
import { httpServer, tcpServer } from "./fetch/testing/local-server.ts";
import { fetchUrlTool } from "./fetch-url.ts";
import { holding } from "./testing/tool-context.ts";

describe("what is sent", () => {
  it("is a GET with the agent's fields, over a connection that is not kept", async () => {
    await using server = await httpServer((response) => response.end("hello"));
    const result = await fetching({
      url: `${server.url}/a%20b?c=d#e`,
      headers: { "X-One": "1", Authorization: "Bearer x" },
    });
    expect(result).toMatchObject({
      status_code: 200,
      body: "hello",
      body_encoding: "utf-8",
      url: `${server.url}/a%20b?c=d`,
    });
    const [seen] = server.seen;
    expect(seen).toMatchObject({ method: "GET", path: "/a%20b?c=d", body: "" });
    expect(seen?.headers).toEqual({
      host: `127.0.0.1:${server.port}`,
      connection: "close",
      "user-agent": "Consentry",
      "accept-encoding": "gzip, br",
      "x-one": "1",
      authorization: "Bearer x",
    });
    await server.deserted();
  });

  it("is a POST with its body as UTF-8, also an empty one", async () => {
    await using server = await httpServer((response, { body }) => response.end(body));
    const headers = { "content-type": "text/plain", "user-agent": "Mine" };
    const sent = await fetching({ url: server.url, method: "POST", body: "žluť", headers });
    expect(sent.body).toBe("žluť");
    await fetching({ url: server.url, method: "POST" });
    expect(server.seen.map(({ headers: { "content-length": length } }) => length)).toEqual([
      "6",
      "0",
    ]);
    expect(server.seen[0]?.headers).toMatchObject(headers);
  });

  it("is a HEAD, whose answer has a length and no body", async () => {
    await using server = await httpServer((response) => {
      response.writeHead(200, { "content-length": "99999999", "content-encoding": "gzip" }).end();
    });
    const result = await fetching({ url: server.url, method: "HEAD" });
    expect(result).toMatchObject({ status_code: 200, body: "", body_encoding: "utf-8" });
    expect(result.headers).toMatchObject({ "content-length": "99999999" });
    expect(server.seen[0]?.method).toBe("HEAD");
  });

  it("goes to a name's address under the name", async () => {
    await using server = await httpServer((response) => response.end("x"));
    const url = `http://some.test:${server.port}/`;
    const names = { "some.test": [["127.0.0.1"]] };
    expect(await fetching({ url }, { allow: ["some.test"], names })).toMatchObject({ url });
    expect(server.seen[0]?.headers.host).toBe(`some.test:${server.port}`);
  });

  it("tries the next of a name's addresses when one does not answer", async () => {
    await using server = await httpServer((response) => response.end("x"));
    const url = `http://some.test:${server.port}/`;
    const names = { "some.test": [["::1", "127.0.0.1"]] };
    expect(await fetching({ url }, { allow: ["some.test"], names })).toMatchObject({ body: "x" });
  });
});

describe("what comes back", () => {
  it.each([200, 201, 204, 304, 404, 418, 500, 503, 599])(
    "is a result at %i too",
    async (status) => {
      await using server = await httpServer((response) => response.writeHead(status).end());
      expect(await fetching({ url: server.url })).toMatchObject({ status_code: status, body: "" });
    },
  );

  it("has its fields in lower case, repeated ones joined, and no cookies", async () => {
    await using server = await httpServer((response) => {
      response.setHeader("Set-Cookie", ["session=1", "other=2"]);
      response.setHeader("X-Many", ["a", "b"]);
      response.setHeader("__proto__", "odd");
      response.end();
    });
    const { headers } = await fetching({ url: server.url });
    expect(headers).toMatchObject({ "x-many": "a, b", "content-length": "0" });
    expect(Object.keys(headers)).toContain("__proto__");
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype);
    expect(JSON.stringify(headers)).not.toMatch(/cookie|session/i);
    await fetching({ url: server.url });
    expect(server.seen[1]?.headers.cookie).toBeUndefined();
  });

  it("is base64 when it is not text", async () => {
    const bytes = Buffer.from([0, 255, 254, 1, 128]);
    await using server = await httpServer((response) => response.end(bytes));
    expect(await fetching({ url: server.url })).toMatchObject({
      body: bytes.toString("base64"),
      body_encoding: "base64",
    });
  });

  it.each([
    ["gzip", gzipSync],
    ["X-GZIP", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
  ])("is decompressed: %s", async (coding, compress) => {
    await using server = await httpServer((response) => {
      response.setHeader("content-encoding", coding);
      response.end(compress("žluť"));
    });
    const { body, headers } = await fetching({ url: server.url });
    expect(body).toBe("žluť");
    expect(Object.keys(headers)).not.toContain("content-encoding");
    expect(Object.keys(headers)).not.toContain("content-length");
  });

  it.each([
    [204, {}],
    [304, {}],
    [200, { "content-length": "0" }],
  ])("is empty without a body to decompress: %i", async (status, length) => {
    await using server = await httpServer((response) => {
      response.writeHead(status, { "content-encoding": "gzip", ...length }).end();
    });
    expect(await fetching({ url: server.url })).toMatchObject({
      status_code: status,
      body: "",
      headers: { "content-encoding": "gzip" },
    });
  });

  it("stays as it is in a coding that is not known, and says so", async () => {
    await using server = await httpServer((response) => {
      response.setHeader("content-encoding", "zstd");
      response.end(Buffer.from([255]));
    });
    expect(await fetching({ url: server.url })).toMatchObject({
      body: "/w==",
      body_encoding: "base64",
      headers: { "content-encoding": "zstd" },
    });
  });

  it("may be as long as the limit and not a byte longer", async () => {
    await using server = await httpServer((response, { path }) => {
      response.write("x".repeat(FETCH_MAX_BODY_BYTES));
      response.end(path === "/over" ? "x" : "");
    });
    const { body } = await fetching({ url: server.url });
    expect(body.length).toBe(FETCH_MAX_BODY_BYTES);
    expect(await wordOf(fetching({ url: `${server.url}/over` }))).toBe("too_large");
  });

  it.each([["with its length"], ["in pieces"]])("is too large at 10 MB, sent %s", async (how) => {
    await using server = await httpServer((response) => {
      const bytes = Buffer.alloc(10_000_000, "x");
      if (how === "with its length") response.setHeader("content-length", bytes.byteLength);
      else response.write("x");
      response.end(bytes);
    });
    expect(await wordOf(fetching({ url: server.url }))).toBe("too_large");
    await server.deserted();
  });
});

describe("what is broken", () => {
  const talking = (text: string) => tcpServer((socket) => socket.end(text));

  it.each([
    ["no answer", ""],
    ["no HTTP", "SSH-2.0-OpenSSH_9.9\r\n"],
    ["half a head", "HTTP/1.1 200 OK\r\nContent-Le"],
    ["a body shorter than its length", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort"],
    [
      "a piece shorter than its size",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nx",
    ],
    [
      "a last piece that is missing",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
    ],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"],
    [
      "a length and pieces",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a length that is none", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx"],
    ["another protocol", "HTTP/1.1 101 Go\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"],
    ["no gzip in gzip", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx"],
  ])("is a network error: %s", async (_what, text) => {
    await using server = await talking(text);
    expect(await wordOf(fetching({ url: server.url }))).toBe("network_error");
    await server.deserted();
  });

  it("is a network error when compressed content ends early", async () => {
    const half = gzipSync("x".repeat(1000)).subarray(0, 20);
    await using server = await httpServer((response) => {
      response.setHeader("content-encoding", "gzip");
      response.end(half);
    });
    expect(await wordOf(fetching({ url: server.url }))).toBe("network_error");
  });

  it("is never more than the length said, when more comes", async () => {
    await using server = await talking("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdefgh");
    const result = await wordOf(fetching({ url: server.url }));
    expect(result === "network_error" || (result as { body: string }).body === "abc").toBe(true);
  });

  it("is a network error where nobody listens, and where a name is unknown", async () => {
    const server = await httpServer((response) => response.end());
    await server[Symbol.asyncDispose]();
    expect(await wordOf(fetching({ url: server.url }))).toBe("network_error");
    expect(await wordOf(fetching({ url: "http://unknown.test/" }))).toBe("network_error");
    const names = { "odd.test": [[]] };
    expect(await wordOf(fetching({ url: "http://odd.test/" }, { names }))).toBe("network_error");
  });

  it("is too large with too many fields or too long ones", async () => {
    await using server = await httpServer((response, { path }) => {
      for (let n = 0; n < (path === "/many" ? 1000 : 1); n++) response.setHeader(`x-${n}`, "a");
      if (path === "/repeated") response.setHeader("x-same", new Array<string>(300).fill("a"));
      if (path === "/long") response.setHeader("x-long", "a".repeat(40_000));
      response.end();
    });
    for (const path of ["many", "repeated", "long"]) {
      expect(await wordOf(fetching({ url: `${server.url}/${path}` }))).toBe("too_large");
    }
    expect(await fetching({ url: server.url })).toMatchObject({ status_code: 200 });
  });
});

it("is there everywhere, and refuses before anybody is asked what it would refuse anyway", () => {
  const tool = fetchUrlTool({ ownPorts: () => [] });
  expect(tool.available()).toBe(true);
  expect(tool.preflight({ url: "https://example.com/" }, holding())).toBeNull();
  for (const url of [
    "file:///x",
    "http://a@example.com/",
    "http://e.com:0",
    "http://a@10.0.0.1/",
  ]) {
    expect(tool.preflight({ url }, holding())).toEqual({ kind: "refuse", word: "access_denied" });
  }
});

it.each([
  ["http://127.0.0.1:8080/x", "127.0.0.1", 8080],
  ["http://0x7f.1/", "127.0.0.1", 80],
  ["https://[::1]/", "::1", 443],
  ["http://[::ffff:10.0.0.1]/", "::ffff:a00:1", 80],
  ["http://169.254.169.254/latest/meta-data/", "169.254.169.254", 80],
  ["http://LOCALHOST/", "localhost", 80],
  ["https://nas:80/", "nas", 80],
  ["http://printer.local/", "printer.local", 80],
  ["http://router.home.arpa/", "router.home.arpa", 80],
  ["http://db.internal/", "db.internal", 80],
])("wants the person to allow exactly the host and port of %s", (url, host, port) => {
  const tool = fetchUrlTool({ ownPorts: () => [] });
  const wanted = { kind: "host_wanted", host: { host, port } };
  const allowing = (some: string, at: number) =>
    tool.preflight({ url }, { roots: [], hosts: [{ host: some, port: at, added_at: 0 }] });
  expect(tool.preflight({ url }, holding())).toEqual(wanted);
  expect(allowing(`x${host}`, port)).toEqual(wanted);
  expect(allowing(host, port + 1)).toEqual(wanted);
  expect(allowing(host, port)).toBeNull();
});

it("says nothing but its word when it fails", async () => {
  const failure = await fetching({ url: "http://unknown.test/secret" }).catch((error) => error);
  expect(String(failure)).toBe("ToolFailure: network_error");
  expect(failure.cause).toBeUndefined();
});

describe("how far it has come", () => {
  it("is told in bytes as they come, before anything is unpacked", async () => {
    const packed = gzipSync("hello".repeat(1000));
    await using server = await httpServer((response) => {
      response.setHeader("content-encoding", "gzip");
      response.write(packed.subarray(0, 20));
      response.end(packed.subarray(20));
    });
    const reports: ToolProgress[] = [];
    const progress = (report: ToolProgress): void => void reports.push(report);
    const result = await fetching({ url: server.url }, { progress });
    expect(result.body).toHaveLength(5000);
    expect(reports.at(-1)).toEqual({ done: packed.length, total: null, unit: "bytes" });
    const counts = reports.map(({ done }) => done);
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
  });
});
