import type { ActivityCounts } from "../../app/bridge/views.ts";
import { ENDINGS } from "../../app/contract/tool-call.ts";
import { useTexts } from "../language.tsx";

interface CountTableProps {
  readonly name: string;
  readonly rows: readonly (ActivityCounts & { readonly id: string; readonly name: string })[];
}

/** A chart's numbers, for people who cannot see the chart. */
export function CountTable({ name, rows }: CountTableProps) {
  const { t, language } = useTexts();
  return (
    <table className="unseen" aria-label={name}>
      <thead>
        <tr>
          <td />
          {ENDINGS.map((part) => (
            <th scope="col" key={part}>
              {t(`status.${part}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row">{row.name}</th>
            {ENDINGS.map((part) => (
              <td key={part}>{row[part].toLocaleString(language)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
