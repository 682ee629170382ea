import type { JsonObject } from "../../app/contract/json.ts";
import { commandDangers } from "../../app/contract/target/command-dangers.ts";
import { useTexts } from "../language.tsx";

interface DangerListProps {
  readonly toolName: string;
  readonly args: JsonObject;
}

/** What of a command is known to have done harm, and that this is not all it may do. */
export function DangerList({ toolName, args: { argv } }: DangerListProps) {
  const { t } = useTexts();
  if (toolName !== "run_command" || !Array.isArray(argv)) return null;
  const dangers = commandDangers(argv.filter((word) => typeof word === "string"));
  if (dangers.length === 0) return null;
  return (
    <section className="caution dangers" data-testid="consent-dangers">
      <p>{t("consent.dangers_found")}</p>
      <ul>
        {dangers.map((danger) => (
          <li key={danger} data-danger={danger}>
            {t(`consent.danger.${danger}`)}
          </li>
        ))}
      </ul>
      <p>{t("consent.dangers_rest")}</p>
    </section>
  );
}
