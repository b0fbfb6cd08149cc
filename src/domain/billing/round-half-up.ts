/**
 * The sum of amount x price over the divisor, exact until its one rounding, half up. A fraction counts as the decimal
 * it is written as: 0.3 is three tenths, not the binary number next to it.
 */
export function roundHalfUp(
  products: readonly (readonly [amount: number, price: number])[],
  divisor: number,
): number {
  let numerator = 0n
  let denominator = 1n
  for (const [amount, price] of products) {
    const part = toFraction(amount)
    numerator = numerator * part.denominator + part.numerator * BigInt(price) * denominator
    denominator *= part.denominator
  }
  const whole = denominator * BigInt(divisor)
  return Number((2n * numerator + whole) / (2n * whole))
}

function toFraction(amount: number): { numerator: bigint; denominator: bigint } {
  const [, digits, places = '', exponent = '0'] =
    /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(amount)) ?? []
  // Below zero, infinite or no number: a vendor's nonsense that its reader let through.
  if (digits === undefined) throw new RangeError(`${amount} is not an amount that can be paid for`)
  const shift = Number(exponent) - places.length
  const written = BigInt(`${digits}${places}`)
  return shift < 0
    ? { numerator: written, denominator: 10n ** BigInt(-shift) }
    : { numerator: written * 10n ** BigInt(shift), denominator: 1n }
}
