import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
  /** The certificate of the private authority that signed it. */
  readonly authority: string;
}

const EC_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

/** A key, and a certificate for the name from an authority that nobody knows; null without openssl. */
export function testCertificate(name: string): TestCertificate | null {
  const folder = mkdtempSync(join(tmpdir(), "consentry-tls-"));
  const file = (of: string) => join(folder, of);
  const signed = (of: string, ...more: readonly string[]) => {
    const files = ["-keyout", file(`${of}.key`), "-out", file(`${of}.pem`)];
    execFileSync("openssl", ["req", "-x509", ...EC_KEY, ...files, ...more], { stdio: "ignore" });
  };
  try {
    signed("authority", "-subj", "/CN=A private authority");
    const by = ["-CA", file("authority.pem"), "-CAkey", file("authority.key")];
    const names = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
    signed("own", ...by, ...names, "-addext", "basicConstraints=critical,CA:FALSE");
    const [key, cert, authority] = ["own.key", "own.pem", "authority.pem"].map((of) =>
      readFileSync(file(of), "utf8"),
    );
    return { key: key ?? "", cert: cert ?? "", authority: authority ?? "" };
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
