import { mixedScriptWords } from "../../app/contract/mixed-scripts.ts";
import type { CallTarget } from "../../app/contract/target/target.ts";
import { TargetLine } from "../calls/target-line.tsx";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { countWords, partsOf, partText, targetHeard } from "../text/target-words.ts";
import { hasUnseen } from "../text/visible-text.ts";

interface CardQuestionProps {
  readonly id: string;
  readonly target: CallTarget;
  readonly toolName: string;
  /** The agent's displayed name. */
  readonly agent: string;
  /** The folder that the line above names. */
  readonly project: string | undefined;
}

/** What is asked: the card's heading, which stays visible while everything else scrolls. */
export function CardQuestion({ id, target, toolName, agent, project }: CardQuestionProps) {
  const texts = useTexts();
  const heard = targetHeard(texts, target, toolName);
  return (
    <div className="card-question" data-testid="consent-target" data-kind={target.kind}>
      <h2 id={id} tabIndex={-1} aria-label={texts.t("consent.heading", { agent, tool: heard })}>
        {target.kind === "run" && target.parts.path.path === project ? (
          texts.t("consent.question.run_here")
        ) : (
          <TargetLine target={target} toolName={toolName} asks />
        )}
        {target.count === null ? null : (
          <span className="target-count">
            {texts.gap}
            {countWords(texts, target.count).seen}
          </span>
        )}
      </h2>
      <Marks target={target} />
    </div>
  );
}

/** The full path of each target whose heading begins with a folder's name. */
export function WholePaths({ target }: { readonly target: CallTarget }) {
  return partsOf(target).map(([name, part]) =>
    part.kind !== "path" || !part.whole || part.path === partText(part) ? null : (
      <VisibleText within="p" className="target-path" key={name} dir="ltr" text={part.path} />
    ),
  );
}

function Marks({ target }: { readonly target: CallTarget }) {
  const { t } = useTexts();
  if (target.marks.length === 0) return null;
  return (
    <ul className="target-marks" aria-label={t("target.marks")}>
      {target.marks.map((mark) => (
        <li key={mark} data-mark={mark}>
          <Icon name="high" />
          {t(`target.mark.${mark}`)}
        </li>
      ))}
    </ul>
  );
}

/** Warnings about what the heading may show. They scroll: an agent can cause many. */
export function TargetCautions({ target }: { readonly target: CallTarget }) {
  const { t } = useTexts();
  const parts = partsOf(target).map(([, part]) => part);
  const places = parts.filter(({ kind }) => kind === "path" || kind === "address");
  const words = new Set(places.flatMap((part) => mixedScriptWords(partText(part))));
  return (
    <>
      {[...words].map((word) => (
        <p className="caution" key={word}>
          {t("consent.mixed_script", { word })}
        </p>
      ))}
      {parts.some((part) => hasUnseen(partText(part))) ? (
        <p className="caution">{t("consent.escapes_note")}</p>
      ) : null}
    </>
  );
}
