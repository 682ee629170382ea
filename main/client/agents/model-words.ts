import type { ModelWords } from "../../../app/contract/connected-model.ts";
import type { Translate } from "../../../i18n/index.ts";

/** What the model's agent says in the person's language. */
export const modelWords = (t: Translate): ModelWords => ({
  faults: {
    key_refused: t("model.fault.key_refused"),
    key_unreadable: t("model.fault.key_unreadable"),
    model_unknown: t("model.fault.model_unknown"),
    quota: t("model.fault.quota"),
    unreachable: t("model.fault.unreachable"),
    provider_failed: t("model.fault.provider_failed"),
    not_added: t("model.fault.not_added"),
    ended: t("model.fault.ended"),
  },
  phrases: {
    too_many_steps: t("model.phrase.too_many_steps"),
    too_long: t("model.phrase.too_long"),
    broken_off: t("model.phrase.broken_off"),
    restarted: t("model.phrase.restarted"),
    demo_hello: t("model.phrase.demo_hello"),
    demo_fetched: t("model.phrase.demo_fetched"),
    demo_located: t("model.phrase.demo_located"),
    demo_denied: t("model.phrase.demo_denied"),
    demo_no_answer: t("model.phrase.demo_no_answer"),
    demo_failed: t("model.phrase.demo_failed"),
  },
});
