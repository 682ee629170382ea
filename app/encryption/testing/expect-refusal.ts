import { expect } from "vitest";
import { type EncryptionErrorCode, encryptionError } from "../encryption-error.ts";

/** The code that something was refused with; null if it was not. Any other error is rethrown. */
export async function refusalOf(work: () => unknown): Promise<EncryptionErrorCode | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (encryptionError.is(error)) return error.code;
    throw error;
  }
}

export async function expectRefusal(code: EncryptionErrorCode, work: () => unknown): Promise<void> {
  expect(await refusalOf(work)).toBe(code);
}
