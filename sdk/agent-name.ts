import { guardOf } from "../app/contract/checked.ts";
import { isVisibleName } from "../app/contract/visible-name.ts";
import { AgentName } from "../app/protocol/v1/fields.ts";

const isName = guardOf(AgentName);

/** Whether the hub accepts this as an agent's name. */
export const isAgentName = (name: unknown): name is string =>
  isName(name) && name.isWellFormed() && isVisibleName(name);
