export interface RestRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

/** An answer that depends on earlier requests. */
export type AnswerTo = (requests: readonly RestRequest[]) => RestAnswer;

/** `hang` answers nothing until the request is aborted; `lost` fails like a broken connection. */
export type RestAnswer = { readonly status: number; readonly body: unknown } | "lost" | "hang";

export const data = (value: unknown, status = 200): RestAnswer => ({
  status,
  body: { data: value },
});

export const refusal = (status: number, code: string, params = {}): RestAnswer => ({
  status,
  body: { error: { code, message: "", i18n_key: "", params } },
});

/** A fake hub's REST side at the fetch seam: answers from a list, `hang` when it has run out. */
export class FakeRest {
  readonly requests: RestRequest[] = [];
  readonly #answers: (RestAnswer | AnswerTo)[];
  readonly #last: RestAnswer;

  /** @param answers absent: it has nothing that is asked for */
  constructor(answers: readonly (RestAnswer | AnswerTo)[] | undefined) {
    this.#answers = [...(answers ?? [])];
    this.#last = answers === undefined ? refusal(404, "NOT_FOUND") : "hang";
  }

  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    const url = new URL(String(input));
    this.requests.push({
      method: init.method ?? "GET",
      path: url.pathname + url.search,
      authorization: new Headers(init.headers).get("authorization") ?? undefined,
      body: typeof init.body === "string" ? JSON.parse(init.body) : undefined,
    });
    const next = this.#answers.shift() ?? this.#last;
    const answer = typeof next === "function" ? next(this.requests) : next;
    if (answer === "lost") throw new TypeError("fetch failed");
    if (answer === "hang") return aborted(init.signal);
    return Response.json(answer.body, { status: answer.status });
  };
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(new DOMException("aborted", "AbortError"));
    if (signal?.aborted) fail();
    signal?.addEventListener("abort", fail);
  });
}
