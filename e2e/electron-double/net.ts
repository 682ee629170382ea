import { type ClientRequest, type RequestOptions, request as startRequest } from "node:http";

/** Requests of the program's own: Node's, without the system's proxies and certificates. */
export const net = {
  request: (options: RequestOptions): ClientRequest => startRequest(options),
};
