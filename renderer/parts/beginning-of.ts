/** At most this many bytes of a file. In Chromium, a part of a file that was removed is read as empty. */
export const beginningOf = (file: Blob, bytes: number): Blob =>
  file.size > bytes ? file.slice(0, bytes) : file;
