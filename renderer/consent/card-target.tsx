import type { ReactNode } from "react";
import { mixedScriptWords } from "../../app/contract/mixed-scripts.ts";
import type { CallTarget } from "../../app/contract/target/target.ts";
import { TargetLine } from "../calls/target-line.tsx";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { countWords, partsOf, partText, targetHeard } from "../text/target-words.ts";
import { hasUnseen } from "../text/visible-text.ts";

interface CardTargetProps {
  readonly id: string;
  readonly target: CallTarget;
  readonly toolName: string;
  /** The agent's displayed name. */
  readonly agent: string;
  /** The countdown, which stays visible beside it. */
  readonly children: ReactNode;
}

/**
 * What the card is about: the card's heading, which stays visible while everything else scrolls.
 */
export function CardTarget({ id, target, toolName, agent, children }: CardTargetProps) {
  const texts = useTexts();
  const heard = targetHeard(texts, target, toolName);
  return (
    <div className="card-target" data-testid="consent-target" data-kind={target.kind}>
      <div className="target-lines">
        <h2 id={id} tabIndex={-1} aria-label={texts.t("consent.heading", { agent, tool: heard })}>
          <TargetLine target={target} toolName={toolName} />
          {target.count === null ? null : (
            <span className="target-count"> · {countWords(texts, target.count).seen}</span>
          )}
        </h2>
        <WholePaths target={target} />
        <Marks target={target} />
      </div>
      {children}
    </div>
  );
}

/** The full path of each target whose heading begins with a folder's name. */
export function WholePaths({ target }: { readonly target: CallTarget }) {
  const { t } = useTexts();
  return partsOf(target).map(([name, part]) => {
    if (part.kind !== "path" || part.path === partText(part)) return null;
    return (
      <p className="target-path" key={name} dir="ltr">
        {part.whole ? <VisibleText text={part.path} /> : t("target.shortened")}
      </p>
    );
  });
}

function Marks({ target }: { readonly target: CallTarget }) {
  const { t } = useTexts();
  if (target.marks.length === 0) return null;
  return (
    <ul className="target-marks" aria-label={t("target.marks")}>
      {target.marks.map((mark) => (
        <li className="badge badge-high" key={mark} data-mark={mark}>
          <Icon name="high" />
          {t(`target.mark.${mark}`)}
        </li>
      ))}
    </ul>
  );
}

/**
 * Warnings about arguments that may mislead, because the heading may show them. They scroll: an
 * agent can cause many of them.
 */
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
