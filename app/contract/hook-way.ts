/**
 * How an agent with hooks is connected (docs/hooks.md). `ask_here`: its own permission questions are asked here;
 * `check_everything`: each use of a tool is; `only_watch`: nothing is held up but what is denied here.
 */
export const HOOK_WAYS = ["ask_here", "check_everything", "only_watch"] as const;
export type HookWay = (typeof HOOK_WAYS)[number];
