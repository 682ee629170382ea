import type { LocationAccuracy, LocationFix } from "../platform-services.ts";

/** The thread's input, and the only message it answers with. */
export interface LocationJob {
  /** The address of GeoClue's bus, in D-Bus notation. */
  readonly busAddress: string;
  readonly accuracy: LocationAccuracy;
}

const LOCATION_FAILURES = ["no_provider", "access_denied", "no_fix", "location_error"] as const;
export type LocationFailureWord = (typeof LOCATION_FAILURES)[number];

export type LocationAnswer =
  | { readonly ok: true; readonly fix: LocationFix }
  | { readonly ok: false; readonly word: LocationFailureWord };

export class LocationFailure extends Error {
  override readonly name = "LocationFailure";
  readonly word: LocationFailureWord;
  constructor(word: LocationFailureWord) {
    super(word);
    this.word = word;
  }
}
