/** The bytes in base64. */
export async function blobToBase64(blob: Blob): Promise<string> {
  const read = new FileReader();
  const loaded = new Promise((resolve, reject) => {
    read.addEventListener("load", resolve);
    read.addEventListener("error", () => reject(read.error));
  });
  read.readAsDataURL(blob);
  await loaded;
  const address = String(read.result);
  return address.slice(address.indexOf(",") + 1);
}

/** @param type its media type */
export const base64ToBlob = (data: string, type: string): Blob =>
  new Blob([Uint8Array.from(atob(data), (char) => char.charCodeAt(0))], { type });
