import type { PairingView } from "../../app/bridge/agent-views.ts";

/** An agent of the hub that asks to be added, with nothing to remark on. */
export const samplePairing = (pairing_id: string): PairingView => ({
  pairing_id,
  name: pairing_id,
  name_mark: null,
  lookalikes: [],
  code: "123456",
  expires_at: 0,
  scopes: [],
  problems: [],
  warnings: [],
  local: null,
});
