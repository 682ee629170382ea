import { Radio, RadioGroup } from "react-aria-components";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { hostText } from "../../app/contract/network-host.ts";
import { ownScopeLabel, toolLabel } from "../../i18n/index.ts";
import { type Texts, useTexts } from "../language.tsx";
import { Choice } from "../parts/choice.tsx";
import type { FolderHelp } from "../parts/path-field.tsx";
import { keptState } from "../state/kept-state.ts";
import { visibleString } from "../text/visible-text.ts";
import { scopeOf } from "./card-details.tsx";
import {
  type GivenRoot,
  LASTS,
  type Lasts,
  type Offer,
  offersFor,
  ROOT_TIME,
  shortPath,
  unaskedWords,
} from "./offers.ts";
import { RootField, suggestedRoot } from "./root-field.tsx";

/** Another place on the page, or another request that is open meanwhile, draws a card anew. */
const useLasts = keptState<Lasts>();
const useWidth = keptState<number>();
const useRoot = keptState<GivenRoot | null>();

/** What an approval would give at this moment, and what the person can choose instead. */
export interface CardTerms {
  readonly lasts: Lasts;
  /** Only those that the card offers. */
  readonly times: readonly Lasts[];
  readonly choose: (lasts: Lasts) => void;
  /** Of the chosen time, the narrowest first. */
  readonly offers: readonly Offer[];
  readonly width: number;
  readonly widen: (width: number) => void;
  readonly offer: Offer;
  /** Null: nothing is opened. */
  readonly root: GivenRoot | null;
  readonly setRoot: (root: GivenRoot) => void;
}

/** The preset is the narrowest, once (contract §3). */
export function useCardTerms(card: ConsentCard): CardTerms {
  const [lasts, choose] = useLasts(card.request_id, "once");
  const [width, widen] = useWidth(card.request_id, 0);
  const [chosenRoot, setRoot] = useRoot(card.request_id, suggestedRoot(card));
  const opened = card.root_wanted && chosenRoot;
  const root = opened && { ...opened, terms: { ...opened.terms, time: ROOT_TIME[lasts] } };
  const offers = offersFor(card, lasts, root);
  const fits = Math.min(width, offers.length - 1);
  return {
    lasts,
    times: LASTS.filter((each) => offersFor(card, each, root).length > 0),
    choose: (next) => {
      choose(next);
      widen(0);
    },
    offers,
    width: fits,
    widen,
    // `once` always has one.
    offer: offers[fits] ?? { answer: "allow_once", rule: null, unasked: null },
    root,
    setRoot,
  };
}

/** What each of several requests on one card would get. */
export interface ListTerms extends Pick<CardTerms, "lasts" | "times" | "choose"> {
  /** In the order of the cards. */
  readonly offers: readonly Offer[];
}

const narrowest = (card: ConsentCard, lasts: Lasts): Offer | undefined =>
  offersFor(card, lasts, null)[0];

/** Only the times that all of them offer. */
export function useListTerms(id: string, cards: readonly ConsentCard[]): ListTerms {
  const [chosen, choose] = useLasts(id, "once");
  const times = LASTS.filter((each) => cards.every((card) => narrowest(card, each) !== undefined));
  const lasts = times.find((each) => each === chosen) ?? "once";
  return { lasts, times, choose, offers: cards.flatMap((card) => narrowest(card, lasts) ?? []) };
}

/** What they give together, each once. */
export function listWords(texts: Texts, cards: readonly ConsentCard[], terms: ListTerms): string {
  const { t, language } = texts;
  if (terms.lasts === "once") return t("consent.gives.once");
  const words = cards.flatMap((card, at) => {
    const offer = terms.offers[at];
    return (offer && unaskedWords(t, offer, naming(texts, card))) ?? [];
  });
  const what = new Intl.ListFormat(language).format(new Set(words));
  return t(`consent.gives.${terms.lasts}`, { what });
}

/** The time after the chosen one, around the end. */
export const nextTime = ({ times, lasts }: Pick<CardTerms, "times" | "lasts">): Lasts =>
  times[(times.indexOf(lasts) + 1) % times.length] ?? "once";

interface TermsProps {
  readonly card: ConsentCard;
  readonly terms: CardTerms;
  /** The agent's displayed name. */
  readonly agent: string;
  readonly help: FolderHelp;
  /** Of the sentence. */
  readonly id: string;
}

/** How long the approval lasts, and one sentence that says exactly what it gives. */
export function Terms({ card, terms, agent, help, id }: TermsProps) {
  const texts = useTexts();
  const { t } = texts;
  const { times, offers, root } = terms;
  const words = offers.map((offer) => unaskedWords(t, offer, naming(texts, card)) ?? "");
  const says = givesWords(texts, card, terms, agent);
  if (times.length < 2 && says === "") return null;
  return (
    <div className="terms">
      <TimeChips {...terms} />
      {offers.length < 2 ? null : (
        <Choice
          className="field terms-width"
          label={t("rules.field.covers")}
          unseenLabel
          chosen={String(terms.width)}
          options={words.map((label, at) => ({ word: String(at), label }))}
          onChoose={(word) => terms.widen(Number(word))}
          testId="consent-width"
        />
      )}
      <p id={id} className="gives" data-testid="consent-gives">
        {says}
      </p>
      {card.root_wanted === null || root === null ? null : (
        <RootField
          wanted={card.root_wanted}
          given={root}
          onChange={terms.setRoot}
          help={help}
          describedBy={id}
        />
      )}
    </div>
  );
}

export function TimeChips({ times, lasts, choose }: Pick<CardTerms, "times" | "lasts" | "choose">) {
  const { t } = useTexts();
  if (times.length < 2) return null;
  return (
    <RadioGroup
      className="chips"
      aria-label={t("consent.lasts_label")}
      value={lasts}
      onChange={(next) => choose(LASTS.find((each) => each === next) ?? "once")}
      data-testid="consent-lasts"
      data-chosen={lasts}
    >
      {times.map((each) => (
        <Radio key={each} value={each} className="chip" data-testid={`consent-lasts-${each}`}>
          {t(`consent.lasts.${each}`)}
        </Radio>
      ))}
    </RadioGroup>
  );
}

function naming({ language }: Texts, card: ConsentCard) {
  // A line that only reads is quiet together with reading.
  const reading =
    card.scope === "agent:command" && card.subject?.kind === "folder"
      ? ownScopeLabel(language, "agent:read")
      : null;
  return {
    folders: card.folders,
    project: card.open_folders[0] ?? null,
    scope: reading ?? visibleString(scopeOf(language, card)),
    tool: reading ?? visibleString(toolLabel(language, card.tool_name)),
  };
}

/** What the approval gives, in as few sentences as say it exactly. */
function givesWords(texts: Texts, card: ConsentCard, terms: CardTerms, agent: string): string {
  const { t, gap } = texts;
  const { lasts, offer, root, times } = terms;
  const what = unaskedWords(t, offer, naming(texts, card));
  const host = card.host_wanted === null ? null : visibleString(hostText(card.host_wanted));
  const sentences = [
    root === null ? null : opensWords(t, root, card.folders, agent),
    what !== null && lasts !== "once" ? t(`consent.gives.${lasts}`, { what }) : null,
    what === null && root !== null && lasts !== "once" ? t("consent.still_asked") : null,
    what === null && root === null && host === null && times.length > 1
      ? t("consent.gives.once")
      : null,
    host === null ? null : t(`consent.host_${lasts === "once" ? "once" : "stays"}`, { host }),
  ];
  return sentences.filter((each) => each !== null).join(gap);
}

function opensWords(
  t: Texts["t"],
  { path, terms }: GivenRoot,
  folders: readonly string[],
  agent: string,
): string {
  const gets = `${terms.only_file ? "file" : "folder"}_${terms.access}` as const;
  const lasts = LASTS.find((each) => ROOT_TIME[each] === terms.time) ?? "once";
  return t(`consent.opens.${gets}`, {
    agent,
    path: visibleString(shortPath(path, folders)),
    time: t(`consent.opens_for.${lasts}`),
  });
}
