/**
 * Intl's formatters take up to a millisecond each to create, and the lines of a list share a few:
 * each is created once per language and options.
 */
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
