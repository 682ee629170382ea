import type { PolicyFault } from "../../app/bridge/policy-views.ts";
import { useTexts } from "../language.tsx";
import { Empty } from "../parts/empty.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

/** In place of every page: which file an administrator must mend, and where in it. */
export function BrokenPolicy({ fault }: { readonly fault: PolicyFault }) {
  const { t } = useTexts();
  const { file, code, place } = fault;
  return (
    <main className="outer" data-testid="broken-policy" data-code={code}>
      <div role="alert">
        <Empty icon="high" title={t("policy.broken_title")} body={t("policy.broken_body")}>
          <ul>
            <li className="mono">
              <VisibleText text={file} />
            </li>
            <li>{t(`policy.faults.${code}`)}</li>
            {place === null ? null : (
              <li>
                {t("policy.place", { line: String(place.line), column: String(place.column) })}
                {place.pointer === "" ? null : (
                  <>
                    {" · "}
                    <span className="mono">
                      <VisibleText text={place.pointer} />
                    </span>
                  </>
                )}
              </li>
            )}
          </ul>
        </Empty>
      </div>
    </main>
  );
}
