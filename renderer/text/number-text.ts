import { numberFormat } from "./formatters.ts";

/** A number with all of its digits: what is shown is exactly what was sent. */
export const numberText = (language: string, value: number, useGrouping = true): string =>
  numberFormat(language, { maximumFractionDigits: 100, useGrouping }).format(value);
