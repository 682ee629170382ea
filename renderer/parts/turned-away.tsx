import { useEffect, useEffectEvent } from "react";
import { Button } from "react-aria-components";
import type { TurnedAwayView } from "../../app/bridge/consent-views.ts";
import { useTexts } from "../language.tsx";
import { nameList } from "../text/format.ts";

/** How long the note stays under the person's eyes, in ms: the log has each of these requests. */
const STAYS_MS = 30_000;

/** In one line how many requests found no place, and folded of which agents. It goes by itself once it was in sight. */
export function TurnedAwayNote(props: Readonly<{ view: TurnedAwayView; onSeen: () => void }>) {
  const { view, onSeen } = props;
  const { t, language } = useTexts();
  const { others } = view;
  const count = view.agents.reduce((sum, each) => sum + each.count, others);
  const seen = useEffectEvent(() => {
    if (document.hasFocus()) onSeen();
  });
  useEffect(() => {
    if (count === 0) return;
    const timer = setInterval(seen, STAYS_MS);
    return () => clearInterval(timer);
  }, [count]);
  if (count === 0) return null;
  const names = view.agents.map((each) =>
    t("turned_away.agent", { agent: each.name, count: each.count }),
  );
  const all = others === 0 ? names : [...names, t("turned_away.others", { count: others })];
  return (
    <div className="notice turned-away" data-testid="turned-away">
      <details>
        <summary>
          <span role="status">{t("turned_away.body", { count })}</span>
        </summary>
        <p>{nameList(language, all)}</p>
      </details>
      <Button className="quiet" data-testid="turned-away-seen" onPress={onSeen}>
        {t("missed.dismiss")}
      </Button>
    </div>
  );
}
