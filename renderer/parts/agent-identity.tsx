import type { ReactNode } from "react";
import {
  type AgentDetails,
  type AgentNames,
  type AgentSigns,
  keyBeside,
  type NameMark,
  type PairingView,
  shownName,
} from "../../app/bridge/agent-views.ts";
import type { KeyMark } from "../../app/contract/key-mark.ts";
import { useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { labelOfAgent, programsOf } from "../text/agent-labels.ts";
import { visibleString } from "../text/visible-text.ts";
import { Icon } from "./icon.tsx";
import { VisibleText } from "./visible-text.tsx";

/** An agent's name with the project it works in, and its key where the name is not enough. */
export function AgentName({ of, always = false }: AgentNameProps) {
  const { t } = useTexts();
  const { name_mark, project } = of;
  const text = shownName(of);
  return (
    <>
      <b className="identity-name">
        {project === undefined ? (
          <VisibleText text={text} />
        ) : (
          t("app.in_project", { text: visibleString(text), note: visibleString(project) })
        )}
      </b>
      <NameMarkNote mark={name_mark} />
      <NeededKey of={of} always={always} />
    </>
  );
}

/** An agent's key, where its name is not enough, and why it is not known. */
export function NeededKey({ of, always = false }: AgentNameProps) {
  const { t } = useTexts();
  const { key_mark } = of;
  if (key_mark.kind === "none") return null;
  const isNeeded = key_mark.kind !== "known" || always || keyBeside(t, of) !== null;
  return isNeeded ? <KeyFingerprint mark={key_mark} /> : null;
}

interface AgentNameProps {
  readonly of: AgentNames & AgentSigns;
  /** With its key even where the name is enough. */
  readonly always?: boolean;
}

/** The same with its picture, and the name it gave itself. */
export function AgentIdentity({ of, always = false }: AgentNameProps) {
  const { t } = useTexts();
  const { name, petname, key_mark } = of;
  return (
    <span className="identity">
      <AgentPicture mark={key_mark} />
      <span className="identity-texts">
        <AgentName of={of} always={always} />
        {petname === null ? null : (
          <span className="muted" data-testid="original-name">
            {t("agents.calls_itself")} <VisibleText text={name} />
          </span>
        )}
      </span>
    </span>
  );
}

interface ProgramCardsProps {
  readonly agents: readonly AgentDetails[];
  /** @param isPart its program is named above it */
  readonly draw: (agent: AgentDetails, isPart: boolean) => ReactNode;
}

/** A card for each agent, and one for the tools and the hooks of one program. */
export const ProgramCards = ({ agents, draw }: ProgramCardsProps) =>
  programsOf(agents).map(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first && draw(first, false);
    return (
      <section className="card" data-testid="agent-program" key={first.agent_id}>
        <h2 className="identity-heading">
          <AgentIdentity of={first} />
        </h2>
        {[first, ...others].map((half) => draw(half, true))}
      </section>
    );
  });

const SIDE = 5;
const HALF = 3;

/**
 * A pattern drawn from the key: two agents with the same name look different, one without a
 * known key is blank, and a program on this computer, which has none, is drawn as such. It is decoration; the fingerprint in letters is what people compare.
 */
export function AgentPicture({ mark }: { readonly mark: KeyMark }) {
  if (mark.kind !== "known") {
    return (
      <span className="agent-picture" data-key={mark.kind} aria-hidden="true">
        {mark.kind === "none" ? <Icon name="program" /> : null}
      </span>
    );
  }
  const digits = mark.fingerprint.replaceAll(" ", "");
  const cells: string[] = [];
  for (let row = 0; row < SIDE; row += 1) {
    for (let column = 0; column < HALF; column += 1) {
      const digit = Number.parseInt(digits.charAt(row * HALF + column), 16);
      if (!(digit >= 8)) continue;
      cells.push(`M${column} ${row}h1v1h-1z`);
      // The right half mirrors the left one; the middle column has no counterpart.
      if (column < HALF - 1) cells.push(`M${SIDE - 1 - column} ${row}h1v1h-1z`);
    }
  }
  const hue = Math.round((Number.parseInt(digits.slice(-2), 16) * 360) / 256);
  return (
    <svg
      className="agent-picture"
      viewBox={`-1 -1 ${SIDE + 2} ${SIDE + 2}`}
      style={{ color: `light-dark(oklch(48% 0.11 ${hue}), oklch(78% 0.1 ${hue}))` }}
      aria-hidden="true"
      focusable="false"
    >
      <path d={cells.join("")} />
    </svg>
  );
}

/** The key that distinguishes an agent from others with its name, or why it is not known. */
export function KeyFingerprint({ mark }: { readonly mark: Exclude<KeyMark, { kind: "none" }> }) {
  const { t } = useTexts();
  if (mark.kind !== "known") {
    return (
      <span className="fingerprint" data-testid="fingerprint" data-key={mark.kind}>
        {t(`agents.key_is.${mark.kind}`)}
      </span>
    );
  }
  return (
    <span
      className="fingerprint"
      title={t("agents.fingerprint")}
      data-testid="fingerprint"
      data-key={mark.kind}
    >
      <span className="unseen">{t("agents.fingerprint")} </span>
      <VisibleText text={mark.fingerprint} />
    </span>
  );
}

/** A warning beside a name whose letters are not what they look like. */
export function NameMarkNote({ mark }: { readonly mark: NameMark | null }) {
  const { t } = useTexts();
  if (mark === null) return null;
  return (
    <span className="name-mark" data-testid="name-mark" data-mark={mark}>
      <Icon name="medium" /> {t(`agents.name_mark.${mark}`)}
    </span>
  );
}

/** Any agent may claim any name, so also that of one the person trusts. */
export function Lookalikes({ lookalikes }: Pick<PairingView, "lookalikes">) {
  const { t } = useTexts();
  const { agents } = useSnapshot();
  return agents
    .filter(({ agent_id }) => lookalikes.includes(agent_id))
    .map((agent) => (
      <p className="caution" key={agent.agent_id} data-testid="pairing-lookalike">
        {t("pairing.lookalike", { agent: labelOfAgent(t, { ...agent, name_is_shared: true }) })}
      </p>
    ));
}

/** Whether an agent can be reached, or that the person has suspended it. */
export function AgentState({ online, relation }: Pick<AgentDetails, "online" | "relation">) {
  const { t } = useTexts();
  if (relation === "suspended") {
    return (
      <span className="online-state" data-testid="agent-state" data-suspended="true">
        <Icon name="pause" />
        {t("agents.relation_is.suspended")}
      </span>
    );
  }
  return (
    <span className="online-state" data-testid="agent-state" data-online={online}>
      <span className="dot" aria-hidden="true" />
      {online ? t("agents.online") : t("agents.offline")}
    </span>
  );
}
