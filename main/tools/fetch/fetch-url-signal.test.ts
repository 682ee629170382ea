import { describe, expect, it } from "vitest";
import { fetching, wordOf } from "./testing/fetching.ts";
import { type HttpServer, httpServer, tcpServer } from "./testing/local-server.ts";

/** Never answers; calls `arrived` for every request. */
function silentServer(arrived: () => void): Promise<HttpServer> {
  return httpServer(() => arrived());
}

describe("an aborted fetch", () => {
  it("has ended at once when it was aborted before, and connects to nobody", async () => {
    await using server = await httpServer((response) => response.end());
    const signal = AbortSignal.abort();
    expect(await wordOf(fetching({ url: server.url }, { signal }))).toBe("cancelled");
    expect(server.connections()).toBe(0);
  });

  it("closes its connection while it waits for an answer", async () => {
    const stop = new AbortController();
    await using server = await silentServer(() => stop.abort());
    const { signal } = stop;
    expect(await wordOf(fetching({ url: server.url }, { signal }))).toBe("cancelled");
    await server.deserted();
  });

  it("closes its connection in the middle of a body", async () => {
    const stop = new AbortController();
    await using server = await httpServer((response) => {
      response.write("x", () => stop.abort());
    });
    const { signal } = stop;
    expect(await wordOf(fetching({ url: server.url }, { signal }))).toBe("cancelled");
    await server.deserted();
  });

  it("closes its connection while fields drip in", async () => {
    const stop = new AbortController();
    await using server = await tcpServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      let count = 0;
      const drip = setInterval(() => {
        if (++count === 5) stop.abort();
        socket.write("x");
      }, 1);
      socket.once("close", () => clearInterval(drip));
    });
    const { signal } = stop;
    expect(await wordOf(fetching({ url: server.url }, { signal }))).toBe("cancelled");
    await server.deserted();
  });

  it("closes its connection during a TLS handshake nobody answers", async () => {
    const stop = new AbortController();
    await using server = await tcpServer(() => stop.abort());
    const { signal } = stop;
    const url = `https://127.0.0.1:${server.port}/`;
    expect(await wordOf(fetching({ url }, { signal }))).toBe("cancelled");
    await server.deserted();
  });

  it("waits for no resolver, and connects to nobody when that one answers late", async () => {
    await using server = await httpServer((response) => response.end());
    const stop = new AbortController();
    let answer = (_: readonly string[]): void => undefined;
    const late = new Promise<readonly string[]>((resolve) => {
      answer = resolve;
    });
    const network = {
      lookupAll: () => {
        queueMicrotask(() => stop.abort());
        return late;
      },
      ownAddresses: () => [],
    };
    const more = { allow: ["late.test"], signal: stop.signal };
    const url = `http://late.test:${server.port}/`;
    expect(await wordOf(fetching({ url }, more, network))).toBe("cancelled");
    answer(["127.0.0.1"]);
    await late;
    // A connection made now comes after anything that the late answer could have started.
    expect(await fetching({ url: server.url })).toMatchObject({ status_code: 200 });
    expect(server.connections()).toBe(1);
  });
});

const openSockets = (): number =>
  process.getActiveResourcesInfo().filter((kind) => /TCPSocketWrap|TLSWrap|Timeout/.test(kind))
    .length;

it("five hundred aborted fetches leave nothing open", async () => {
  let waiting: AbortController[] = [];
  await using server = await silentServer(() => waiting.shift()?.abort());
  const before = openSockets();
  for (let round = 0; round < 10; round++) {
    waiting = Array.from({ length: 50 }, () => new AbortController());
    const words = waiting.map(({ signal }) => wordOf(fetching({ url: server.url }, { signal })));
    // These are stopped while they connect, the others when a request has arrived.
    for (const stop of waiting.splice(0, 10)) stop.abort();
    expect(new Set(await Promise.all(words))).toEqual(new Set(["cancelled"]));
  }
  await server.deserted();
  await new Promise((resolve) => setImmediate(resolve));
  expect(openSockets()).toBeLessThanOrEqual(before);
});
