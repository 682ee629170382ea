/** What breaks the consent given to an earlier manifest (contract §8). */
export const BREAKING_KINDS = [
  "required_added",
  "type_changed",
  "additional_properties_closed",
  "enum_value_removed",
  "tool_sensitivity_raised",
  "scope_sensitivity_lowered",
  "scope_added",
] as const;
export type BreakingKind = (typeof BREAKING_KINDS)[number];
