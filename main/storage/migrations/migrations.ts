import { firstTables } from "./0001-first-tables.ts";
import { allowedHosts } from "./0002-allowed-hosts.ts";
import { activity } from "./0003-activity.ts";
import { keyRecords } from "./0020-key-records.ts";
import { conversations } from "./0021-conversations.ts";
import { coveringIndexes } from "./0022-covering-indexes.ts";
import { keptBytes } from "./0024-kept-bytes.ts";
import { acknowledgements } from "./0025-acknowledgements.ts";
import { windowSubjects } from "./0026-window-subjects.ts";
import { agentChannels } from "./0027-agent-channels.ts";
import { carriedOut } from "./0028-carried-out.ts";
import { callSubjects } from "./0029-call-subjects.ts";
import { quietPeriodCalls } from "./0030-quiet-period-calls.ts";
import { rules } from "./0031-rules.ts";
import { rootTerms } from "./0032-root-terms.ts";
import { decisionsNamed } from "./0033-decisions-named.ts";
import { lateLines } from "./0034-late-lines.ts";
import { callsApart } from "./0035-calls-apart.ts";
import type { Migration } from "./migration.ts";

/** In the order they run. */
export const MIGRATIONS: readonly Migration[] = [
  firstTables,
  allowedHosts,
  activity,
  keyRecords,
  conversations,
  coveringIndexes,
  keptBytes,
  acknowledgements,
  windowSubjects,
  agentChannels,
  carriedOut,
  callSubjects,
  quietPeriodCalls,
  rules,
  rootTerms,
  decisionsNamed,
  lateLines,
  callsApart,
];
