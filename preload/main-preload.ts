import { contextBridge, ipcRenderer } from "electron";
import { ipcPort } from "./ipc-port.ts";

// The host knows which calls this window may make and refuses the rest.
contextBridge.exposeInMainWorld(
  "consentry",
  ipcPort(ipcRenderer, { call: () => true, event: () => true }),
);
