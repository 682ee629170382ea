import { openBytes, sealBytes } from "../../runtime/crypto/sealed-bytes.ts";
import type { HostKey } from "./host-key.ts";
import type { KeyVault } from "./open-host-key.ts";

/** Keeps a secret that the person typed, such as a provider's key. */
export interface SecretSealing {
  /** What may be stored. */
  seal(secret: string): Promise<string>;
  /** Null when it cannot be opened here: with another vault, another host key, or damaged. */
  open(sealed: string): Promise<string | null>;
}

const CONTEXT = Buffer.from("secret");

/** In the system's vault where there is one, else under the host key. The form is named in front. */
export function secretSealing(hostKey: HostKey, vault: KeyVault | null): SecretSealing {
  const key = hostKey.keyFor("secrets");
  return {
    async seal(secret) {
      const bytes = Buffer.from(secret);
      if (vault !== null && (await vault.available()))
        return coded("system", await vault.wrap(bytes));
      return coded("host_key", sealBytes(key, bytes, CONTEXT));
    },
    async open(sealed) {
      const [form, body = ""] = sealed.split(":");
      const bytes = Buffer.from(body, "base64");
      if (form === "host_key") return textOf(openBytes(key, bytes, CONTEXT));
      if (form !== "system" || vault === null || !(await vault.available())) return null;
      return textOf((await vault.unwrap(bytes))?.key ?? null);
    },
  };
}

const coded = (form: "system" | "host_key", bytes: Uint8Array): string =>
  `${form}:${Buffer.from(bytes).toString("base64")}`;

const textOf = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : Buffer.from(bytes).toString("utf8");
