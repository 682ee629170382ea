import { useState } from "react";
import { NONE_OPEN, type OpenRequest, openAfter } from "./open-request.ts";

/** The open one of the waiting requests, and the person's choice of another. */
export function useOpenRequest(ids: readonly string[]): {
  readonly request: OpenRequest;
  readonly choose: (request_id: string) => void;
} {
  const [known, setKnown] = useState<OpenRequest>(NONE_OPEN);
  // While rendering: no frame shows the list without an open card.
  const request = openAfter(known, ids);
  if (request !== known) setKnown(request);
  return { request, choose: (open) => setKnown((before) => ({ ...before, open })) };
}
