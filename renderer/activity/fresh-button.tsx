import { Button } from "react-aria-components";
import { useTexts } from "../language.tsx";
import { MOST_FRESH } from "./log-session.ts";

interface FreshButtonProps {
  readonly count: number;
  readonly onPress: () => void;
}

/**
 * Shows lines that arrived while the person is reading further down; nothing moves until they press
 * it.
 */
export function FreshButton({ count, onPress }: FreshButtonProps) {
  const { t } = useTexts();
  return (
    <div className="log-fresh" role="status">
      {count === 0 ? null : (
        <Button className="primary fresh-button" data-testid="activity-fresh" onPress={onPress}>
          {count < MOST_FRESH
            ? t("activity.fresh", { count })
            : t("activity.most_fresh", { count: MOST_FRESH })}
        </Button>
      )}
    </div>
  );
}
