import { memberText } from "../rest/member-text.ts";

/**
 * The bytes of `capability_manifest` as they were sent. Its limit counts the manifest alone, not
 * the body around it (contract §5).
 *
 * @param body a JSON object already known to be strict and to have the member
 */
export const manifestBytesIn = (body: Buffer): Uint8Array =>
  Buffer.from(memberText(body.toString("utf8"), "capability_manifest") ?? "", "utf8");
