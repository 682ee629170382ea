import type { LiveCalls } from "./live-calls.ts";
import type {
  AgentSource,
  ArgumentsValidator,
  CallLedger,
  ConsentPort,
  GrantAccess,
  PauseSwitch,
  Scheduler,
  SettingsReader,
  ToolBox,
  TrustedClock,
} from "./ports.ts";

/** Everything the chain needs, each a small interface. */
export interface ExecutionPorts {
  readonly agents: AgentSource;
  readonly pause: PauseSwitch;
  readonly settings: SettingsReader;
  readonly grants: GrantAccess;
  readonly validator: ArgumentsValidator;
  readonly tools: ToolBox;
  readonly consent: ConsentPort;
  readonly ledger: CallLedger;
  readonly clock: TrustedClock;
  readonly scheduler: Scheduler;
  readonly live: LiveCalls;
}
