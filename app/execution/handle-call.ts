import { denied, invalidArguments, platformError } from "../contract/codes.ts";
import type { ToolResponse } from "../contract/tool-call.ts";
import type { Arrival, ReadableArrival } from "./arrival.ts";
import { aboutCall, closeCall } from "./close-call.ts";
import { examineCall, findDeclared } from "./examine-call.ts";
import type { ExecutionPorts } from "./execution-ports.ts";
import { obtainPermission } from "./obtain-permission.ts";
import { refuseMalformed } from "./refuse-malformed.ts";
import { answerAgain } from "./replay.ts";
import { runTool } from "./run-tool.ts";
import { stillGiven } from "./still-given.ts";

/**
 * The chain every call goes through, whatever channel it came by (contract §2). Resolves to the
 * response to send, or to null when the program is going down and the call must come again.
 * There is no other way to a tool.
 */
export async function handleCall(
  ports: ExecutionPorts,
  arrived: Arrival,
): Promise<ToolResponse | null> {
  const { decoded, ...about } = arrived;
  const arrived_at = ports.clock.now();
  if (decoded.kind === "malformed") {
    return refuseMalformed(ports, about, decoded.malformed, arrived_at);
  }
  const arrival: ReadableArrival = { ...about, call: decoded.call, arrived_at };

  const again = answerAgain(ports, arrival); // §2.0
  if (again === "other_call") {
    return closeCall(ports, arrival, "contract", invalidArguments("call_id_reused"), {
      kept: false,
    });
  }
  return again ?? ports.inFlight.keep(arrival, decideAndRun(ports, arrival));
}

async function decideAndRun(
  ports: ExecutionPorts,
  arrival: ReadableArrival,
): Promise<ToolResponse | null> {
  const isPaused = () => ports.pause.isOn();
  const refusePaused = () => closeCall(ports, arrival, "paused", denied("user_refused"));
  if (isPaused()) return refusePaused(); // §3: before anything of the agent's is looked at
  const examined = await examineCall(ports, arrival); // §2.1–2.5
  if (examined.kind === "refused") {
    return closeCall(ports, arrival, "contract", examined.refusal);
  }
  const { matter } = examined;
  const permission = await obtainPermission(ports, matter, arrival); // §2.6
  if (permission.kind === "postponed") return null;
  if (permission.kind === "refused") {
    return closeCall(ports, arrival, permission.by, permission.refusal);
  }

  const running = ports.running.open(arrival, matter.scope.id);
  try {
    // What was given may have been taken back, or the manifest changed, while the answer was awaited.
    if (isPaused()) return await refusePaused();
    const now = findDeclared(ports.agents, arrival);
    if ("status" in now) return await closeCall(ports, arrival, "contract", now);
    if (now.agent.manifest_hash !== matter.agent.manifest_hash) {
      return await closeCall(ports, arrival, "contract", platformError("manifest_changed"));
    }
    const given = stillGiven(permission, matter.agent, now.agent);
    if (given === null) {
      return await closeCall(ports, arrival, "contract", denied("permission_revoked"));
    }
    const intent = {
      kind: "intent" as const,
      ...aboutCall(arrival, permission.by, ports.clock.now()),
    };
    const durable = await ports.ledger.recordIntent(intent).then(
      () => true,
      () => false,
    ); // §2.7
    if (!durable) {
      return await closeCall(ports, arrival, "contract", platformError("audit_unavailable"));
    }
    const outcome = await runTool(ports.scheduler, matter, arrival, given, running); // §2.8
    return await closeCall(ports, arrival, permission.by, outcome); // §2.9
  } finally {
    running.done();
  }
}
