/** Intl's formatters take up to 1 ms to create: each is kept by language and options. */
function kept<Options, Format>(make: (language: string, options: Options) => Format) {
  const made = new Map<string, Format>();
  return (language: string, options: Options, where = ""): Format => {
    const key = `${language} ${where} ${JSON.stringify(options)}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const format = make(language, options);
    made.set(key, format);
    return format;
  };
}

const dates = kept(
  (language, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options),
);

/** A formatter stays in the time zone it was created in, but the computer's may change. */
export const dateFormat = (
  language: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat => dates(language, options, `${new Date().getTimezoneOffset()}`);

export const numberFormat = kept(
  (language, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options),
);

export const relativeTimeFormat = kept(
  (language, options: Intl.RelativeTimeFormatOptions) =>
    new Intl.RelativeTimeFormat(language, options),
);

export const listFormat = kept(
  (language, options: Intl.ListFormatOptions) => new Intl.ListFormat(language, options),
);

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** "812 byte", "1.2 kB", "3.4 MB": decimal units, as in file managers. */
export function byteSize(language: string, bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const unit = UNITS[step] ?? "byte";
  return numberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: step === 0 ? "long" : "short",
    maximumFractionDigits: step === 0 ? 0 : 1,
  }).format(bytes / 1000 ** step);
}

const part = (language: string, value: number, unit: "hour" | "minute" | "second"): string =>
  numberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(value);

/** Time left in its two largest units: "23 hr 4 min", "4 min 10 sec", "9 sec". */
export function timeLeft(language: string, left_ms: number): string {
  const seconds = Math.max(0, Math.ceil(left_ms / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const parts =
    hours > 0
      ? [part(language, hours, "hour"), part(language, minutes, "minute")]
      : [
          ...(minutes === 0 ? [] : [part(language, minutes, "minute")]),
          part(language, seconds % 60, "second"),
        ];
  return listFormat(language, { type: "unit", style: "narrow" }).format(parts);
}

export const dateTime = (language: string, at: number): string =>
  dateFormat(language, { dateStyle: "medium", timeStyle: "medium" }).format(at);

/** For what need not be known to the second. */
export const dateAndMinute = (language: string, at: number): string =>
  dateFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(at);

/** The time if it is today, otherwise with the date. */
export function shortTime(language: string, at: number, now: number): string {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
  return dateFormat(
    language,
    sameDay ? { timeStyle: "medium" } : { dateStyle: "short", timeStyle: "short" },
  ).format(at);
}

export function duration(language: string, duration_ms: number): string {
  const inSeconds = duration_ms >= 1000;
  return numberFormat(language, {
    style: "unit",
    unit: inSeconds ? "second" : "millisecond",
    unitDisplay: "short",
    maximumFractionDigits: inSeconds ? 1 : 0,
  }).format(inSeconds ? duration_ms / 1000 : duration_ms);
}

/** "Ada, Ben, Cem"; in Chinese with its own commas. */
export const nameList = (language: string, names: readonly string[]): string =>
  listFormat(language, { type: "conjunction", style: "narrow" }).format(names);

/** A number with all of its digits: what is shown is exactly what was sent. */
export const numberText = (language: string, value: number, useGrouping = true): string =>
  numberFormat(language, { maximumFractionDigits: 100, useGrouping }).format(value);
