import type { KeyedRequest } from "./script.ts";
import { type ModelScript, type ScriptedModel, scriptedModel } from "./scripted-model.ts";

export interface RecordedModel extends ScriptedModel {
  /** Every request so far. */
  readonly asked: readonly KeyedRequest[];
  /** Their bodies, unchanged. */
  readonly bodies: readonly object[];
}

/** For tests: a scripted model that keeps what it was asked. */
export async function recordedModel(script: ModelScript): Promise<RecordedModel> {
  const asked: KeyedRequest[] = [];
  const bodies: object[] = [];
  const model = await scriptedModel((request, body) => {
    asked.push(request);
    bodies.push(body);
    return script(request, body);
  });
  return Object.assign(model, { asked, bodies });
}
