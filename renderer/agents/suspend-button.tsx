import { useRef } from "react";
import { Button } from "react-aria-components";
import type { AgentDetails } from "../../app/bridge/agent-views.ts";
import { useAct, useAgent } from "../host-context.tsx";
import { useTexts } from "../language.tsx";

/** Suspends an agent, or resumes it. @returns what to do, if it can be done */
export function useSuspend({ agent_id, relation }: Pick<AgentDetails, "agent_id" | "relation">) {
  const act = useAct();
  /** Not disabled meanwhile: the button would lose the keyboard. */
  const sent = useRef(false);
  const flip = async (): Promise<void> => {
    if (sent.current) return;
    sent.current = true;
    await act("agents.suspend", { agent_id, suspended: relation === "active" });
    sent.current = false;
  };
  return relation === "revoked" ? null : () => void flip();
}

interface SuspendButtonProps {
  readonly agentId: string;
  /** Only the way back. */
  readonly onlyResume?: boolean;
}

/** Where the page is about more than the agent. Nothing for one that is gone. */
export function SuspendButton({ agentId, onlyResume = false }: SuspendButtonProps) {
  const agent = useAgent(agentId);
  if (agent === undefined || agent.relation === "revoked") return null;
  if (onlyResume && agent.relation === "active") return null;
  return <LivingButton agent={agent} />;
}

function LivingButton({ agent }: { readonly agent: AgentDetails }) {
  const { t } = useTexts();
  const flip = useSuspend(agent);
  const suspended = agent.relation === "suspended";
  return (
    <Button data-testid={suspended ? "resume-agent" : "suspend-agent"} onPress={() => flip?.()}>
      {t(suspended ? "agents.resume_this" : "agents.suspend_this")}
    </Button>
  );
}
