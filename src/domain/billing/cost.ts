import { type Micros, micros } from './micros.ts'

/** A text or video token is priced by the million. */
const TOKENS_PER_PRICE = 1_000_000
/** What vendors who bill in credits mean by one. */
export const MICROS_PER_CREDIT = 10_000 as Micros

export interface PricedTokens {
  /** An estimate may end in a fraction. */
  tokens: number
  perMillionMicros: Micros
}

/** What tokens cost together. Rounded once, half up, whatever they are made of. */
export function costOfTokens(parts: readonly PricedTokens[]): Micros {
  // On the path of every text request: whole counts whose products a number can hold need no big integers.
  let sum = 0
  let isWhole = true
  for (const { tokens, perMillionMicros } of parts) {
    sum += tokens * perMillionMicros
    if (!Number.isSafeInteger(tokens) || tokens < 0 || perMillionMicros < 0) isWhole = false
  }
  if (isWhole && Number.isSafeInteger(sum)) return roundMillionths(sum)
  return micros(
    roundHalfUp(
      parts.map(({ tokens, perMillionMicros }) => [tokens, perMillionMicros]),
      TOKENS_PER_PRICE,
    ),
  )
}

export function costOfSeconds({
  seconds,
  perSecondMicros,
}: {
  seconds: number
  perSecondMicros: Micros
}): Micros {
  return micros(roundHalfUp([[seconds, perSecondMicros]], 1))
}

export function costOfCredits({
  credits,
  perCreditMicros,
}: {
  credits: number
  perCreditMicros: Micros
}): Micros {
  return micros(roundHalfUp([[credits, perCreditMicros]], 1))
}

/** By the remainder: a quotient of large numbers may itself be rounded up to the next whole one. */
function roundMillionths(sum: number): Micros {
  const rest = sum % TOKENS_PER_PRICE
  return micros((sum - rest) / TOKENS_PER_PRICE + (2 * rest >= TOKENS_PER_PRICE ? 1 : 0))
}

/**
 * The sum of amount x price over the divisor, exact until its one rounding, half up. A fraction counts as the decimal
 * it is written as: 0.3 is three tenths, not the binary number next to it.
 */
function roundHalfUp(
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
