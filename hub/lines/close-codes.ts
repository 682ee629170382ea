/** WebSocket close codes the hub uses; 4000–4999 are the application's own (RFC 6455 §7.4.2). */
export const CLOSE = {
  goingAway: 1001,
  internal: 1011,
  tooManyFaults: 4400,
  authFailed: 4401,
  silent: 4408,
  replaced: 4409,
  webhookMode: 4410,
  removed: 4411,
} as const;
