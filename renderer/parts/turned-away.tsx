import { Button } from "react-aria-components";
import type { TurnedAwayView } from "../../app/bridge/agent-views.ts";
import { useTexts } from "../language.tsx";
import { sentenceGap } from "../text/sentence-gap.ts";

interface TurnedAwayProps {
  readonly view: TurnedAwayView;
  readonly onSeen: () => void;
}

/** How many requests found no place, and of which agents. */
export function TurnedAwayNote({ view: { agents, others }, onSeen }: TurnedAwayProps) {
  const { t, language } = useTexts();
  const count = agents.reduce((sum, each) => sum + each.count, others);
  if (count === 0) return null;
  const names = agents.map((each) =>
    t("turned_away.agent", { agent: each.name, count: each.count }),
  );
  const all = others === 0 ? names : [...names, t("turned_away.others", { count: others })];
  return (
    <div className="notice turned-away" data-testid="turned-away">
      <p role="status">
        {t("turned_away.body", { count }) + sentenceGap(language)}
        {new Intl.ListFormat(language, { style: "narrow", type: "unit" }).format(all)}
      </p>
      <Button className="quiet" data-testid="turned-away-seen" onPress={onSeen}>
        {t("missed.dismiss")}
      </Button>
    </div>
  );
}
