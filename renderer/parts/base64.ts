/** The bytes in base64, through a data URL, which every browser supports. */
export async function base64Of(blob: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ""));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(blob);
  return promise;
}

/** @param type its media type */
export const blobOf = (base64: string, type: string): Blob =>
  new Blob([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], { type });
