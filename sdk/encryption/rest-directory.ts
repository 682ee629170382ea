import { fromBase64, toBase64 } from "../../app/contract/base64.ts";
import { isJsonObject, ownValue } from "../../app/contract/json.ts";
import type { KeyDirectory } from "../../app/encryption/correspondence/ports.ts";
import { reconnectDelayMs } from "../../app/protocol/link/reconnect-delay.ts";
import { SealingError } from "../../app/protocol/v1/message-sealing.ts";
import { askHub, type HubPorts, type HubRequest } from "../hub-request.ts";
import { pause } from "../stop-signal.ts";

/** A hub's REST side for one agent: requests are repeated until it answers or the agent closes. */
export class PatientHub {
  readonly #ports: HubPorts;
  readonly #token: string;
  readonly #signal: AbortSignal;

  constructor(ports: HubPorts, token: string, signal: AbortSignal) {
    this.#ports = ports;
    this.#token = token;
    this.#signal = signal;
  }

  /**
   * @returns the answer's `data`; null for `NOT_FOUND`
   * @throws SealingError `keys_missing` when the hub refuses, or the agent has closed
   */
  async ask(request: Pick<HubRequest, "method" | "path" | "body">): Promise<unknown> {
    for (let failures = 0; ; failures += 1) {
      const signal = this.#signal;
      if (signal.aborted) throw new SealingError("keys_missing");
      const whole = { ...request, token: this.#token, signal };
      const answer = await askHub(this.#ports, whole);
      if (answer.kind === "data") return answer.data;
      if (answer.kind === "refused") {
        if (answer.code === "NOT_FOUND") return null;
        if (answer.code !== "RATE_LIMITED") throw new SealingError("keys_missing");
      }
      await this.pause(reconnectDelayMs(failures, this.#ports.clock.random()));
    }
  }

  /** Resolves after `ms` milliseconds, or at once when the agent closes. */
  pause(ms: number): Promise<void> {
    return pause(this.#ports.clock, ms, this.#signal);
  }
}

/** docs/encryption.md, "Keys at the hub". */
export function restDirectory(hub: PatientHub): KeyDirectory {
  const ofOwner = (ownerId: string) => `/keys/${encodeURIComponent(ownerId)}`;
  return {
    async publish({ card, signedPrekey, oneTimePrekeys }) {
      const body = {
        identity_card: toBase64(card),
        signed_prekey: toBase64(signedPrekey),
        one_time_prekeys: oneTimePrekeys.map(toBase64),
      };
      await hub.ask({ method: "PUT", path: "/keys/mine", body });
    },
    async left(ownKeyId) {
      const data = await hub.ask({ method: "GET", path: "/keys/mine" });
      const left = field(data, "one_time_left");
      return field(data, "key_id") === toBase64(ownKeyId) && typeof left === "number" ? left : null;
    },
    card: async (ownerId) =>
      bytesIn(await hub.ask({ method: "GET", path: ofOwner(ownerId) }), "identity_card"),
    bundle: async (ownerId) =>
      bytesIn(await hub.ask({ method: "POST", path: `${ofOwner(ownerId)}/bundle` }), "bundle"),
  };
}

const field = (data: unknown, name: string): unknown =>
  isJsonObject(data) ? ownValue(data, name) : undefined;

function bytesIn(data: unknown, name: string): Uint8Array | null {
  const text = field(data, name);
  return typeof text === "string" ? (fromBase64(text) ?? null) : null;
}
