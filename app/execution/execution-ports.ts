import type {
  AgentDirectory,
  ArgumentsValidator,
  CallLedger,
  ConsentPort,
  GrantBook,
  PauseSwitch,
  Scheduler,
  SettingsReader,
  ToolBox,
  TrustedClock,
} from "./ports.ts";
import type { InFlightCalls } from "./replay.ts";
import type { RunningCalls } from "./running-calls.ts";

/** Everything the chain needs, each a small interface. */
export interface ExecutionPorts {
  readonly agents: AgentDirectory;
  readonly pause: PauseSwitch;
  readonly settings: SettingsReader;
  readonly grants: GrantBook;
  readonly validator: ArgumentsValidator;
  readonly tools: ToolBox;
  readonly consent: ConsentPort;
  readonly ledger: CallLedger;
  readonly clock: TrustedClock;
  readonly scheduler: Scheduler;
  readonly inFlight: InFlightCalls;
  readonly running: RunningCalls;
}
