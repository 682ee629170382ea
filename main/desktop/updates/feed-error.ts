import type { UpdateFault } from "../../../app/contract/update-faults.ts";

export class FeedError extends Error {
  override readonly name = "FeedError";
  readonly code: UpdateFault;
  constructor(code: UpdateFault) {
    super(code);
    this.code = code;
  }
}
