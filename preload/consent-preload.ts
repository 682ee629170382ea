import { contextBridge, ipcRenderer } from "electron";
import type { CONSENT_WINDOW_CALLS } from "../app/bridge/calls.ts";
import type { CONSENT_WINDOW_EVENTS } from "../app/bridge/events.ts";
import { ipcPort } from "./ipc-port.ts";

// Spelled out, because importing the lists would bundle every schema of the bridge with them; the
// types hold both to the same words.
const CALLS: Readonly<Record<(typeof CONSENT_WINDOW_CALLS)[number], true>> = {
  "consent.list": true,
  "consent.opened": true,
  "consent.reading": true,
  "consent.read": true,
  "consent.held": true,
  "consent.answer": true,
  "consent.answer_group": true,
  "consent.deny_and_tell": true,
  "consent.answer_there": true,
  "consent.undo": true,
  "consent.put_off": true,
  "turned_away.seen": true,
  "folders.pick": true,
};
const EVENTS: Readonly<Record<(typeof CONSENT_WINDOW_EVENTS)[number], true>> = {
  "consents.changed": true,
  "denials.changed": true,
  "turned_away.changed": true,
  "settings.changed": true,
};

contextBridge.exposeInMainWorld(
  "consentry",
  ipcPort(ipcRenderer, {
    call: (name) => Object.hasOwn(CALLS, name),
    event: (name) => Object.hasOwn(EVENTS, name),
  }),
);
