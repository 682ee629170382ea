import type { RecalledCall } from "../../app/bridge/consent-views.ts";
import type { CallItem } from "../../app/bridge/conversation-views.ts";
import { useTexts } from "../language.tsx";
import { ReadState } from "../parts/empty.tsx";
import { CallFold } from "../parts/fold.tsx";
import { useRead } from "../parts/use-asked.ts";
import { argumentRows, resultRows } from "../text/argument-rows.ts";
import { ScrollBox } from "./scroll-box.tsx";
import { ValueRows } from "./value-rows.tsx";

type Part = "asked" | "given";

interface CallContentsProps {
  readonly item: Pick<CallItem, "agent_id" | "call_id" | "status">;
}

/** What the call asked for and what its agent received, as long as the program remembers it. */
export function CallContents({ item }: CallContentsProps) {
  const { t } = useTexts();
  // A waiting call is shown in its card; of one that a crash interrupted, nothing is left.
  if (item.status === "waiting" || item.status === "interrupted") return null;
  return (
    <div className="call-contents">
      <CallFold title={t("calls.asked")} testId="call-asked">
        <Contents item={item} part="asked" />
      </CallFold>
      {item.status === "ok" ? (
        <CallFold title={t("calls.given")} testId="call-given">
          <Contents item={item} part="given" />
        </CallFold>
      ) : null}
    </div>
  );
}

const Contents = ({ item, part }: CallContentsProps & { readonly part: Part }) => (
  <ReadState {...useRecalled(item)}>{(call) => <Recalled call={call} part={part} />}</ReadState>
);

function Recalled({ call, part }: Readonly<{ call: RecalledCall | null; part: Part }>) {
  const { t } = useTexts();
  if (call === null || (part === "given" && call.result === null)) {
    return (
      <p className="muted" data-testid="call-not-kept">
        {t("calls.not_kept")}
      </p>
    );
  }
  if (part === "asked") return <AskedBox call={call} />;
  return (
    <ScrollBox label={t("calls.given")} testId="call-result">
      <ValueRows rows={resultRows(call.result?.value ?? null)} content />
    </ScrollBox>
  );
}

export function AskedBox({ call }: { readonly call: RecalledCall }) {
  const { t } = useTexts();
  const rows = argumentRows(call.arguments);
  if (rows.length === 0) return <p className="muted">{t("consent.no_arguments")}</p>;
  return (
    <ScrollBox label={t("calls.asked")} testId="call-arguments">
      <ValueRows rows={rows} />
    </ScrollBox>
  );
}

/** A call's content, kept only while it is shown; null if the program remembers none. */
export const useRecalled = ({ agent_id, call_id }: Pick<CallItem, "agent_id" | "call_id">) =>
  useRead<RecalledCall | null>(`${agent_id} ${call_id}`, (bridge) =>
    bridge.call("calls.recall", { agent_id, call_id }),
  );
