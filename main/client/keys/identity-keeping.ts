import type { FileDelivery } from "../../../app/bridge/call-shape.ts";
import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import type { Identity } from "../../../app/encryption/identity/identity.ts";
import {
  type BackupTools,
  backupError,
  type PasswordTools,
  readBackup,
  writeBackup,
} from "../../keys/index.ts";
import type { DeliverFile } from "../host-port.ts";

export interface IdentityKeepingPorts {
  readonly identity: Identity;
  readonly tools: BackupTools & PasswordTools;
  readonly deliver: DeliverFile;
  readonly clock: { now(): number };
  /** Resolves when it will be this client's identity from the next start on. */
  readonly replace: (identity: Identity) => Promise<void>;
}

/** Exports and restores the identity; it leaves this computer only as a backup. */
export class IdentityKeeping {
  readonly #ports: IdentityKeepingPorts;
  /** One at a time: Argon2id takes 64 MiB for seconds. */
  #busy = false;

  constructor(ports: IdentityKeepingPorts) {
    this.#ports = ports;
  }

  /** @throws BridgeError `password_weak`, `file_unwritable`, `already_running` */
  backup(password: string): Promise<FileDelivery> {
    return this.#alone(async () => {
      const { level } = await this.#ports.tools.judge(password);
      if (level !== "strong") throw bridgeError("password_weak");
      const { identity, tools, deliver, clock } = this.#ports;
      const bytes = await writeBackup(tools, identity, password);
      const day = new Date(clock.now()).toISOString().slice(0, 10);
      return deliver({
        name: `consentry-identity-${day}.backup`,
        mediaType: "application/octet-stream",
        open: async function* () {
          yield bytes;
        },
      });
    });
  }

  /**
   * @param file base64
   * @throws BridgeError `wrong_password`, `backup_damaged`, `backup_of_another`, `already_running`
   */
  restore(password: string, file: string): Promise<void> {
    return this.#alone(async () => {
      const { identity, tools, replace } = this.#ports;
      const bytes = new Uint8Array(Buffer.from(file, "base64"));
      await replace(await readBackup(tools, bytes, password, identity.card.ownerId));
    });
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy) throw bridgeError("already_running");
    this.#busy = true;
    try {
      return await work();
    } catch (error) {
      throw backupError.is(error) ? bridgeError(error.code) : error;
    } finally {
      this.#busy = false;
    }
  }
}
