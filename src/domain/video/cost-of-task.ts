import { costOfCredits, costOfSeconds, costOfTokens } from '../billing/cost.ts'
import type { Micros } from '../billing/micros.ts'
import { plausibleMeasures } from './plausible-measures.ts'
import type { TaskPricing } from './pricing.ts'
import type { Measured } from './snapshot.ts'

/**
 * What a succeeded task costs: by the vendor's own measure where there is one, else by our estimate. A task must be able
 * to end whatever a vendor measured, so a measure that comes to more than money can hold is none.
 */
export function costOfTask(pricing: TaskPricing, measured: Measured): Micros {
  try {
    return costBy(pricing, plausibleMeasures(measured))
  } catch {
    return costBy(pricing, {})
  }
}

function costBy(pricing: TaskPricing, measured: Measured): Micros {
  if (pricing.unit === 'video_token') {
    const tokens = measured.completionTokens ?? pricing.estimatedTokens
    return costOfTokens([{ tokens, perMillionMicros: pricing.priceMicros }])
  }
  if (measured.credits !== undefined) return costOfCredits(measured.credits)
  const seconds = measured.seconds ?? pricing.estimatedSeconds
  return costOfSeconds({ seconds, perSecondMicros: pricing.priceMicros })
}
