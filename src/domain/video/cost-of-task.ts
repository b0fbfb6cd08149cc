import { costOfCredits, costOfSeconds, costOfTokens, MICROS_PER_CREDIT } from '../billing/cost.ts'
import { type Micros, micros } from '../billing/micros.ts'
import { plausibleMeasures } from './plausible-measures.ts'
import type { VendorMeasures } from './snapshot.ts'

/** Terms of a cost, stored with the settlement so that the charge can be computed again. */
export interface CostTerms {
  unit: TaskPricing['unit'] | 'credit'
  /** The vendor's measure, else the estimate; it may have a fraction. */
  quantity: number
  /** Price per second, credit or million tokens. */
  priceMicros: Micros
  maxMicros?: Micros
}

/** Cost of a succeeded task. Without measures it is the estimate, which is held for a new task. */
export function costOfTask(pricing: TaskPricing, measured: VendorMeasures): Micros {
  return costOfTerms(costTermsOf(pricing, measured))
}

/** Uses the vendor's measure, else the estimate. A measure beyond the range of money is ignored: tasks must end. */
export function costTermsOf(pricing: TaskPricing, measured: VendorMeasures): CostTerms {
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

/** Throws for terms whose product is not an amount of money. */
export function costOfTerms(terms: CostTerms): Micros {
  const { maxMicros } = terms
  const measured = costAsMeasured(terms)
  return maxMicros === undefined || measured <= maxMicros ? measured : maxMicros
}

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

/** Length of the video for reports: the vendor's measure, else the ordered length. */
export function videoMsOf(pricing: TaskPricing, measured: VendorMeasures): number {
  const ordered = pricing.unit === 'second' ? pricing.estimatedSeconds : (pricing.seconds ?? 0)
  return Math.round((plausibleMeasures(measured).seconds ?? ordered) * 1_000)
}

function termsBy(pricing: TaskPricing, measured: VendorMeasures): CostTerms {
  const { unit, priceMicros } = pricing
  if (unit === 'video_token') {
    return { unit, quantity: measured.completionTokens ?? pricing.estimatedTokens, priceMicros }
  }
  if (measured.credits !== undefined) {
    return { unit: 'credit', quantity: measured.credits, priceMicros: MICROS_PER_CREDIT }
  }
  return { unit, quantity: measured.seconds ?? pricing.estimatedSeconds, priceMicros }
}

/** Price at which a task was accepted, stored with the task: later changes of the catalog have no effect on it. */
export type TaskPricing = {
  priceMicros: Micros
  /** Maximum of its quote; left out for a task without a quote. */
  maxMicros?: Micros
} & (
  | { unit: 'second'; estimatedSeconds: number }
  /** `seconds` is the ordered length; older tasks have none. */
  | { unit: 'video_token'; estimatedTokens: number; seconds?: number }
)
