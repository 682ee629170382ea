import { EventEmitter } from "node:events";

class PowerMonitorDouble extends EventEmitter {
  #locked = false;

  getSystemIdleState(_seconds: number): "active" | "locked" {
    return this.#locked ? "locked" : "active";
  }

  /** What the person does with the system's own key. Linux tells of neither. */
  lock(locked: boolean): void {
    this.#locked = locked;
  }
}

export const powerMonitor = new PowerMonitorDouble();
