import type { QuietPeriodView } from "../../app/bridge/views.ts";
import { assertNever } from "../../app/contract/assert-never.ts";
import { hostText } from "../../app/contract/network-host.ts";
import type { Translate } from "../../i18n/index.ts";

/** What an agent may do without asking, in words; unsafe characters are not escaped yet. */
export function quietPeriodCovers(t: Translate, { scope, subject }: QuietPeriodView): string {
  switch (subject.kind) {
    case "host":
      return t("permissions.quiet_period_covers.host", { host: hostText(subject) });
    case "folder":
    case "file":
      return t(`permissions.quiet_period_covers.${subject.kind}`, { path: subject.path });
    case "scope":
      // Sending data is asked about each time (contract §3).
      return scope === "network:http"
        ? t("permissions.quiet_period_covers.scope_network")
        : t("permissions.quiet_period_covers.scope");
    default:
      return assertNever(subject);
  }
}
