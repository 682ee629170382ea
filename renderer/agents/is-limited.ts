import type { AgentCard } from "../../app/bridge/views.ts";

/** What an agent with hooks carries out itself is held to no folder and no host. */
export const isLimited = ({ delivery }: Pick<AgentCard, "delivery">): boolean =>
  delivery !== "hook";
