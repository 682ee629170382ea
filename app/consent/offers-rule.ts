import type { Answer, ConsentRequest } from "../contract/consent-request.ts";
import { canonicalJson } from "../contract/digest.ts";
import type { RuleSubject } from "../contract/rule-subject.ts";

/** Only with the plain answers, which keep nothing else. */
export const offersRule = (
  { rule_subjects }: ConsentRequest,
  answer: Answer,
  subject: RuleSubject,
): boolean =>
  (answer === "allow_once" || answer === "deny") &&
  rule_subjects.some((offered) => canonicalJson(offered) === canonicalJson(subject));
