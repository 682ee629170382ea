import { describe, expect, it } from "vitest";
import { fetching, wordOf } from "./testing/fetching.ts";
import { httpServer, type LocalServer, tcpServer } from "./testing/local-server.ts";

/** Never answers; calls `arrived` for every request. */
function silentServer(arrived: () => void): Promise<LocalServer> {
  return httpServer(() => arrived());
}

/** Begins an answer and never ends its fields; `begun` is told when a few have been sent. */
const drippingServer = (begun: () => void): Promise<LocalServer> =>
  tcpServer((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    let count = 0;
    const drip = setInterval(() => {
      if (++count === 5) begun();
      socket.write("x");
    }, 1);
    socket.once("close", () => clearInterval(drip));
  });

describe("an aborted fetch", () => {
  it("has ended at once when it was aborted before, and connects to nobody", async () => {
    await using server = await httpServer((response) => response.end());
    const signal = AbortSignal.abort();
    expect(await wordOf(fetching({ url: server.url }, { signal }))).toBe("cancelled");
    expect(server.connections()).toBe(0);
  });

  const SERVERS: readonly (readonly [
    string,
    (stop: () => void) => Promise<LocalServer>,
    string?,
  ])[] = [
    ["while it waits for an answer", silentServer],
    [
      "in the middle of a body",
      (stop) => httpServer((response) => void response.write("x", () => stop())),
    ],
    ["while fields drip in", drippingServer],
    ["during a TLS handshake nobody answers", (stop) => tcpServer(() => stop()), "https"],
  ];

  it.for(SERVERS)("closes its connection %s", async ([, serve, scheme = "http"]) => {
    const stop = new AbortController();
    await using server = await serve(() => stop.abort());
    const url = `${scheme}://127.0.0.1:${server.port}/`;
    expect(await wordOf(fetching({ url }, { signal: stop.signal }))).toBe("cancelled");
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
