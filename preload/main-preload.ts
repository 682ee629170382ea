import { contextBridge, ipcRenderer } from "electron";
import { ipcDoor } from "./ipc-door.ts";

// The host knows which calls this window may make and refuses the rest.
contextBridge.exposeInMainWorld(
  "consentry",
  ipcDoor(ipcRenderer, { call: () => true, event: () => true }),
);
