import { costOfCredits, costOfSeconds, costOfTokens, MICROS_PER_CREDIT } from '../billing/cost.ts'
import { type Micros, micros } from '../billing/micros.ts'
import { plausibleMeasures } from './plausible-measures.ts'
import type { Measured } from './snapshot.ts'

/** What a cost is made of. It is kept with the settlement, so that the charge can be computed again. */
export interface CostTerms {
  unit: TaskPricing['unit'] | 'credit'
  /** What the vendor measured, else our estimate; it may have a fraction. */
  quantity: number
  /** Per second, credit or million tokens. */
  priceMicros: Micros
  /** Of a task that was made by a quote: it never costs more. */
  maxMicros?: Micros
}

/** What a succeeded task costs, and what to hold for one that nothing was measured of. */
export function costOfTask(pricing: TaskPricing, measured: Measured): Micros {
  return costOfTerms(costTermsOf(pricing, measured))
}

/**
 * By the vendor's own measure where there is one, else by our estimate. A task must be able to end whatever a vendor
 * measured, so a measure that comes to more than money can hold is none.
 */
export function costTermsOf(pricing: TaskPricing, measured: Measured): CostTerms {
  const { maxMicros } = pricing
  const cap = maxMicros === undefined ? {} : { maxMicros }
  const terms = { ...termsBy(pricing, plausibleMeasures(measured)), ...cap }
  try {
    costOfTerms(terms)
    return terms
  } catch {
    return { ...termsBy(pricing, {}), ...cap }
  }
}

/** Throws for terms that come to no amount of money. */
export function costOfTerms(terms: CostTerms): Micros {
  const { maxMicros } = terms
  const measured = costAsMeasured(terms)
  return maxMicros === undefined || measured <= maxMicros ? measured : maxMicros
}

/** What the measured use costs beyond the quote: our loss. */
export function lossByQuote(terms: CostTerms): Micros {
  return micros(costAsMeasured(terms) - costOfTerms(terms))
}

function costAsMeasured({ unit, quantity, priceMicros }: CostTerms): Micros {
  switch (unit) {
    case 'video_token':
      return costOfTokens([{ tokens: quantity, perMillionMicros: priceMicros }])
    case 'second':
      return costOfSeconds({ seconds: quantity, perSecondMicros: priceMicros })
    case 'credit':
      return costOfCredits({ credits: quantity, perCreditMicros: priceMicros })
  }
}

/** How long the video is, for reports: as the vendor measured it, else as it was ordered. */
export function videoMsOf(pricing: TaskPricing, measured: Measured): number {
  const ordered = pricing.unit === 'second' ? pricing.estimatedSeconds : (pricing.seconds ?? 0)
  return Math.round((plausibleMeasures(measured).seconds ?? ordered) * 1_000)
}

function termsBy(pricing: TaskPricing, measured: Measured): CostTerms {
  const { unit, priceMicros } = pricing
  if (unit === 'video_token') {
    return { unit, quantity: measured.completionTokens ?? pricing.estimatedTokens, priceMicros }
  }
  if (measured.credits !== undefined) {
    return { unit: 'credit', quantity: measured.credits, priceMicros: MICROS_PER_CREDIT }
  }
  return { unit, quantity: measured.seconds ?? pricing.estimatedSeconds, priceMicros }
}

/** The price a task was taken at, kept with it: what changes in the catalog later does not change it. */
export type TaskPricing = {
  priceMicros: Micros
  /** What its quote promised as the most; left out for a task without a quote. */
  maxMicros?: Micros
} & (
  | { unit: 'second'; estimatedSeconds: number }
  /** `seconds` is the length that was ordered; tasks from before it was kept have none. */
  | { unit: 'video_token'; estimatedTokens: number; seconds?: number }
)
