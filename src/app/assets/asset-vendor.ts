import { ApiError } from '../../domain/api-error.ts'
import type { AssetDriver, NotMade } from '../../ports/asset-driver.ts'

/** The vendor that keeps media and verifies people, ready to be asked. */
export interface AssetVendor {
  /** The provider's name. */
  provider: string
  driver: AssetDriver
  /** It removes assets and groups when it is asked to. */
  canDelete: boolean
}

/** Refuses (503) where none is configured. */
export function demandVendor(vendor: AssetVendor | undefined): AssetVendor {
  if (vendor !== undefined) return vendor
  throw new ApiError('provider_not_configured', { message: 'The asset service is not configured.' })
}

/** The client's error for a call that made nothing. The failures of the real-person flow are 502, others 503. */
export function apiErrorOf(outcome: NotMade, { isAboutAPerson }: { isAboutAPerson: boolean }): ApiError {
  if (outcome.kind === 'refused') return outcome.apiError
  const { cause, retryAfterMs } = outcome
  const retryAfter = retryAfterMs === undefined ? {} : { retryAfterSeconds: retryAfterMs / 1_000 }
  return isAboutAPerson
    ? new ApiError('upstream_error', { cause, ...retryAfter })
    : new ApiError('provider_unavailable', {
        message: 'The asset service is not available.',
        cause,
        ...retryAfter,
      })
}

/** A driver that throws leaves open what the vendor did. */
export async function orFailed<T>(call: Promise<T>): Promise<T | Extract<NotMade, { kind: 'failed' }>> {
  try {
    return await call
  } catch (cause) {
    return { kind: 'failed', cause, retryAfterMs: undefined }
  }
}
