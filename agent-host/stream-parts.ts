/**
 * The parts of a model's stream. Where the connection breaks, the AI SDK's streams throw; here that is
 * an error part, like the provider's own errors.
 */
export async function* partsOf<Part>(
  stream: AsyncIterable<Part>,
): AsyncGenerator<Part | { readonly type: "error"; readonly error: unknown }> {
  try {
    yield* stream;
  } catch (error) {
    yield { type: "error", error };
  }
}
