/**
 * Messages travel encrypted, always: a plain envelope is accepted by neither the person's client nor
 * the SDK. A constant only so that the benchmark can build both with plain envelopes (version 0)
 * beside the product, and measure what encryption costs. Nothing in a program can change it.
 */
export const ENCRYPTED: boolean = true;
