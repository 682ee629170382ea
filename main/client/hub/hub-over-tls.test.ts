import { once } from "node:events";
import { createServer, type Server } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import tls from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { testCertificate } from "../../../runtime/net/testing/test-certificate.ts";
import { LaunchedClient } from "../testing/launched-client.ts";

const certificate = testCertificate("localhost");
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

/** Knows nobody. */
async function tlsHub(): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const server: Server = createServer({ ...certificate }, (request, response) => {
    asked.push(request.url ?? "");
    const hub = `https://localhost:${portOf(server)}`;
    const isChallenge = request.url === "/auth/challenge";
    response.statusCode = isChallenge ? 200 : 401;
    const data = { data: { challenge: "c", hub } };
    response.end(JSON.stringify(isChallenge ? data : { error: { code: "UNAUTHENTICATED" } }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return { port: portOf(server), asked };
}

function trusted(): void {
  const before = tls.getCACertificates("default");
  tls.setDefaultCACertificates([...before, certificate?.authority ?? ""]);
  onTestFinished(() => tls.setDefaultCACertificates(before));
}

async function movedTo(link: string): Promise<unknown> {
  const client = await LaunchedClient.start();
  return client.call("hub.move", { link }).catch((error: Error) => error.message);
}

describe.skipIf(certificate === null)("a hub over TLS", () => {
  it("is asked nothing while its certificate is not trusted", async () => {
    const { port, asked } = await tlsHub();
    expect(await movedTo(`https://localhost:${port}`)).toBe("hub_certificate_untrusted");
    expect(asked).toEqual([]);
  });

  it("is asked nothing under another name than its certificate's", async () => {
    trusted();
    const { port, asked } = await tlsHub();
    expect(await movedTo(`https://127.0.0.1:${port}`)).toBe("hub_certificate_name");
    expect(asked).toEqual([]);
  });

  it("is reached with the certificate of a private authority", async () => {
    trusted();
    const { port, asked } = await tlsHub();
    expect(await movedTo(`https://localhost:${port}`)).toBe("hub_not_invited");
    expect(asked).toEqual(["/auth/challenge", "/auth/token"]);
  });

  it("is reached through the proxy of the environment, unless it is named there", async () => {
    trusted();
    const { port } = await tlsHub();
    const through: string[] = [];
    const proxy = createTcpServer((socket) => {
      socket.once("data", (bytes) => {
        through.push(bytes.toString().split("\r\n")[0] ?? "");
        const onward = connect(port, "127.0.0.1", () => {
          socket.write("HTTP/1.1 200 OK\r\n\r\n");
          socket.pipe(onward).pipe(socket);
        });
        for (const end of [socket, onward]) end.on("error", () => end.destroy());
      });
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    process.env.HTTPS_PROXY = `http://127.0.0.1:${portOf(proxy)}`;
    onTestFinished(() => {
      delete process.env.HTTPS_PROXY;
      delete process.env.NO_PROXY;
      proxy.close();
    });
    expect(await movedTo(`https://localhost:${port}`)).toBe("hub_not_invited");
    expect(through[0]).toBe(`CONNECT localhost:${port} HTTP/1.1`);
    const before = through.length;
    process.env.NO_PROXY = "localhost";
    expect(await movedTo(`https://localhost:${port}`)).toBe("hub_not_invited");
    expect(through).toHaveLength(before);
  });
});
