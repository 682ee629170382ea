import { wrapLanguageModel } from "ai";
import type { CallableModel } from "../providers.ts";

/** Milliseconds without a word of a model: as many as the agent host lets a whole request take. */
export const SILENCE_MS = 120_000;

/**
 * The same model, whose request is ended with a `TimeoutError` when nothing comes of it for that
 * long. The time that its calls take does not count.
 */
export const withSilenceLimit = (model: CallableModel): CallableModel =>
  wrapLanguageModel({
    model,
    middleware: {
      async wrapStream({ model, params }) {
        const silence = new AbortController();
        const timer = setTimeout(
          () => silence.abort(new DOMException("The model is silent.", "TimeoutError")),
          SILENCE_MS,
        );
        const signals = [silence.signal, params.abortSignal ?? []].flat();
        try {
          const { stream, ...rest } = await model.doStream({
            ...params,
            abortSignal: AbortSignal.any(signals),
          });
          const heard = new TransformStream({
            transform(part, parts) {
              timer.refresh();
              parts.enqueue(part);
            },
            flush: () => clearTimeout(timer),
          });
          return { ...rest, stream: stream.pipeThrough(heard) };
        } catch (error) {
          clearTimeout(timer);
          throw error;
        }
      },
    },
  });
