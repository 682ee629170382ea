/** The forms of a recording that are played: Opus in WebM, as browsers record it, or in Ogg. */
export type VoiceType = "audio/webm" | "audio/ogg";

/** How much of the beginning is looked at; the description of the tracks is well within it. */
const HEAD_BYTES = 4_096;

const EBML = "\x1aE\xdf\xa3";
/** The header's element `DocType`, 4 bytes long. */
const WEBM = "\x42\x82\x84webm";
const CODEC = "A_OPUS";
const OGG_PAGE = "OggS";
/** Where the content of a first page with one segment begins. */
const OGG_CONTENT_AT = 28;
const OGG_OPUS = "OpusHead";

/** What a recording is by its own bytes, whatever its sender calls it. */
export function voiceTypeOf(bytes: Uint8Array): VoiceType | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, HEAD_BYTES));
  if (head.startsWith(EBML)) {
    return head.includes(WEBM) && head.includes(CODEC) ? "audio/webm" : undefined;
  }
  const isOpus = head.startsWith(OGG_PAGE) && head.startsWith(OGG_OPUS, OGG_CONTENT_AT);
  return isOpus ? "audio/ogg" : undefined;
}
