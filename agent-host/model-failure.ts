import { APICallError } from "ai";
import type { ModelFault } from "../app/contract/connected-model.ts";

/** The HTTP status that a model's API failed with; null where it was not even reached. */
export function modelStatus(failure: unknown): number | null {
  return apiError(failure)?.statusCode ?? null;
}

/** The same in the words that a person is told. */
export function modelFault(failure: unknown): ModelFault {
  if (failure instanceof DOMException && failure.name === "TimeoutError") return "unreachable";
  const error = apiError(failure);
  if (error === undefined) return "provider_failed";
  switch (error.statusCode) {
    case undefined:
      return "unreachable";
    case 401:
    case 403:
      return "key_refused";
    case 404:
      return "model_unknown";
    case 402:
    case 429:
      return "quota";
    default:
      return "provider_failed";
  }
}

/** The last of several attempts, where there were several. */
function apiError(failure: unknown): APICallError | undefined {
  const causes = [failure, (failure as { lastError?: unknown } | null)?.lastError];
  return causes.find((each) => APICallError.isInstance(each));
}
