import { Button } from "react-aria-components";
import type { TurnedAwayView } from "../../app/bridge/consent-views.ts";
import { useTexts } from "../language.tsx";
import { nameList } from "../text/format.ts";

interface TurnedAwayProps {
  readonly view: TurnedAwayView;
  readonly onSeen: () => void;
}

/** How many requests found no place, and of which agents. */
export function TurnedAwayNote({ view, onSeen }: TurnedAwayProps) {
  const { t, language } = useTexts();
  const { others } = view;
  const count = view.agents.reduce((sum, each) => sum + each.count, others);
  if (count === 0) return null;
  const names = view.agents.map((each) =>
    t("turned_away.agent", { agent: each.name, count: each.count }),
  );
  const all = others === 0 ? names : [...names, t("turned_away.others", { count: others })];
  const agents = nameList(language, all);
  return (
    <div className="notice turned-away" data-testid="turned-away">
      <p role="status">{t("turned_away.body", { count, agents })}</p>
      <Button className="quiet" data-testid="turned-away-seen" onPress={onSeen}>
        {t("missed.dismiss")}
      </Button>
    </div>
  );
}
