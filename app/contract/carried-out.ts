/** How an agent says that a call ended which was decided here and which it carried out itself. */
export const CARRIED_OUT = ["succeeded", "failed"] as const;
export type CarriedOut = (typeof CARRIED_OUT)[number];
