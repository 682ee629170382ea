/** A key store that is always open: what it "encrypts" is written backwards. */
export const safeStorage = {
  isAsyncEncryptionAvailable: async (): Promise<boolean> => true,
  getSelectedStorageBackend: () => "gnome_libsecret" as const,
  encryptStringAsync: async (text: string): Promise<Buffer> => Buffer.from(text).reverse(),
  decryptStringAsync: async (bytes: Buffer) => ({
    result: Buffer.from(bytes).reverse().toString(),
    shouldReEncrypt: false,
  }),
};
