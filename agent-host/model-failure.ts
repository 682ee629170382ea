import { APICallError } from "ai";

/** The HTTP status that a model's API failed with; null where it was not even reached. */
export function modelStatus(failure: unknown): number | null {
  const causes = [failure, (failure as { lastError?: unknown } | null)?.lastError];
  const failed = causes.find((each) => APICallError.isInstance(each));
  return failed?.statusCode ?? null;
}
