import { type Micros, micros } from './micros.ts'

/** Prices of text and video tokens are for a million. */
const TOKENS_PER_PRICE = 1_000_000
/** Value of a credit for vendors that bill in credits. */
export const MICROS_PER_CREDIT = 10_000 as Micros

export interface PricedTokens {
  /** An estimate may end in a fraction. */
  tokens: number
  perMillionMicros: Micros
}

/** Total cost, rounded once, half up. */
export function costOfTokens(parts: readonly PricedTokens[]): Micros {
  // Every text request runs this. Whole counts whose products fit into a number need no big integers.
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

export function costOfSeconds(input: { seconds: number; perSecondMicros: Micros }): Micros {
  const { seconds, perSecondMicros } = input
  return micros(roundHalfUp([[seconds, perSecondMicros]], 1))
}

export function costOfCredits(input: { credits: number; perCreditMicros: Micros }): Micros {
  const { credits, perCreditMicros } = input
  return micros(roundHalfUp([[credits, perCreditMicros]], 1))
}

/** Rounds by the remainder, because a quotient of large numbers may itself be rounded up. */
function roundMillionths(sum: number): Micros {
  const rest = sum % TOKENS_PER_PRICE
  return micros((sum - rest) / TOKENS_PER_PRICE + (2 * rest >= TOKENS_PER_PRICE ? 1 : 0))
}

/** Rounds the sum of amount x price once, half up. A fraction counts as written: 0.3 is three tenths. */
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
  // A vendor's value that is negative, infinite or no number should have been refused by its reader.
  if (digits === undefined) throw new RangeError(`${amount} is not an amount that can be paid for`)
  const shift = Number(exponent) - places.length
  const written = BigInt(`${digits}${places}`)
  return shift < 0
    ? { numerator: written, denominator: 10n ** BigInt(-shift) }
    : { numerator: written * 10n ** BigInt(shift), denominator: 1n }
}
