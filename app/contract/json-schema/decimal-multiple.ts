interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** The shortest decimal that names this double, which is what the author wrote. */
function decimalOf(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/**
 * Whether `value` is a whole multiple of `factor` as decimals: 0.0075 is one of 0.0001, although
 * their doubles divide to 74.99999999999999.
 *
 * @param factor greater than zero
 */
export function isDecimalMultiple(value: number, factor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(factor)) return value % factor === 0;
  const left = decimalOf(value);
  const right = decimalOf(factor);
  const shift = left.exponent - right.exponent;
  const scaled = left.digits * 10n ** BigInt(Math.max(shift, 0));
  return scaled % (right.digits * 10n ** BigInt(Math.max(-shift, 0))) === 0n;
}
