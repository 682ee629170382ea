import type { CallTarget } from "../../app/contract/target/target.ts";
import { toolLabel } from "../../i18n/index.ts";
import { type Texts, useTexts } from "../language.tsx";
import { targetSentence } from "../text/target-words.ts";
import { visibleString } from "../text/visible-text.ts";
import { TargetLine } from "./target-line.tsx";
import { VisibleText } from "./visible-text.tsx";

interface NamedCall {
  readonly tool_name: string;
  readonly target?: CallTarget;
}

/** What a call is about while that is known, otherwise its tool: "Read notes.md", "Read a file". */
export function CallWords({ call: { tool_name, target } }: { readonly call: NamedCall }) {
  const { language } = useTexts();
  if (target === undefined) return <VisibleText text={toolLabel(language, tool_name)} />;
  return <TargetLine target={target} toolName={tool_name} />;
}

/** The same as one text. */
export const callText = (texts: Texts, { tool_name, target }: NamedCall): string =>
  target === undefined
    ? visibleString(toolLabel(texts.language, tool_name))
    : targetSentence(texts, target, tool_name);
