import { createServer } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testCertificate } from "../../../runtime/net/testing/test-certificate.ts";
import { fetching, wordOf } from "./testing/fetching.ts";
import { httpServer, type LocalServer, listen } from "./testing/local-server.ts";

const NAME = "secure.test";
const more = { allow: [NAME, "other.test", "127.0.0.1"], names: {} };
const names = { [NAME]: [["127.0.0.1"]], "other.test": [["127.0.0.1"]] };

const made = testCertificate(NAME);

describe.skipIf(made === null)("over TLS (needs openssl to make a certificate)", () => {
  let location = "";
  let server: LocalServer;
  const asked: { readonly server: unknown; readonly host: string | undefined }[] = [];
  const trusted = getCACertificates("default");

  beforeAll(async () => {
    const https = createServer({ ...made }, (request, response) => {
      asked.push({
        server: Reflect.get(request.socket, "servername"),
        host: request.headers.host,
      });
      if (location !== "") response.writeHead(302, { location });
      response.end("secret");
    });
    server = await listen(https);
  });

  afterAll(async () => {
    setDefaultCACertificates(trusted);
    await server[Symbol.asyncDispose]();
  });

  const from = (host: string) =>
    wordOf(fetching({ url: `https://${host}:${server.port}/` }, { ...more, names }));

  it("a certificate nobody signed is a network error, whatever the environment says", async () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    try {
      expect(await from(NAME)).toBe("network_error");
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
    expect(asked).toEqual([]);
    await server.deserted();
  });

  describe("with a certificate that is trusted", () => {
    beforeAll(() => setDefaultCACertificates([...trusted, made?.authority ?? ""]));

    it("the name is what the server hears and what its certificate must say", async () => {
      expect(await from(NAME)).toMatchObject({ body: "secret" });
      expect(asked).toEqual([{ server: NAME, host: `${NAME}:${server.port}` }]);
      expect(await from("other.test")).toBe("network_error");
      expect(await from("127.0.0.1")).toBe("network_error");
      expect(asked.length).toBe(1);
    });

    it("a redirect to http is a result, one to https is followed", async () => {
      await using plain = await httpServer((response) => response.end("plain"));
      location = `http://127.0.0.1:${plain.port}/`;
      const allow = [...more.allow, { host: "127.0.0.1", port: plain.port }];
      const downgraded = fetching({ url: `https://${NAME}:${server.port}/` }, { allow, names });
      expect(await downgraded).toMatchObject({ status_code: 302, headers: { location }, body: "" });
      expect(plain.connections()).toBe(0);
      await using upgrade = await httpServer((response) => {
        location = "";
        response.writeHead(301, { location: `https://${NAME}:${server.port}/` }).end();
      });
      const both = [...more.allow, { host: NAME, port: server.port }];
      const upgraded = fetching({ url: upgrade.url }, { allow: both, names });
      expect(await wordOf(upgraded)).toMatchObject({ body: "secret" });
    });
  });
});
