/** Bytes of a PNG: in base64, with the JSON around it, it fits a result (contract §1). */
export const CLIPBOARD_IMAGE_MAX_BYTES = 785_408;

/** Characters of such a PNG in base64. */
export const CLIPBOARD_IMAGE_MAX_BASE64 = 4 * Math.ceil(CLIPBOARD_IMAGE_MAX_BYTES / 3);

/** Pixels: decoded, the image stays below 256 MiB, however well it was compressed. */
export const CLIPBOARD_IMAGE_MAX_SIDE = 32_767;
export const CLIPBOARD_IMAGE_MAX_PIXELS = 67_108_864;
