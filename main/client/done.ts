/** Answers a call for which a page gets no value, once the work is done. */
export async function done(work: unknown): Promise<null> {
  await work;
  return null;
}
