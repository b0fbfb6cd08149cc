import { ApiError } from '../../domain/api-error.ts'
import type { AssetDriver, NotMade } from '../../ports/asset-driver.ts'

export interface AssetVendor {
  provider: string
  driver: AssetDriver
  canDelete: boolean
}

/** Throws a 503 if no asset vendor is configured. */
export function demandVendor(vendor: AssetVendor | undefined): AssetVendor {
  if (vendor !== undefined) return vendor
  throw new ApiError('provider_not_configured', { message: 'The asset service is not configured.' })
}

/** Makes the client's error for a vendor call that created nothing. Failures of the real-person flow are 502, others 503. */
export function apiErrorOf(outcome: NotMade, { isAboutAPerson }: { isAboutAPerson: boolean }): ApiError {
  if (outcome.kind === 'refused') return outcome.apiError
  const { cause, retryAfterMs } = outcome
  const retryAfterSeconds = retryAfterMs === undefined ? undefined : retryAfterMs / 1_000
  return isAboutAPerson
    ? new ApiError('upstream_error', { cause, retryAfterSeconds })
    : new ApiError('provider_unavailable', {
        message: 'The asset service is not available.',
        cause,
        retryAfterSeconds,
      })
}

/** Turns an exception of the driver into `failed`, because nothing is known about the vendor's act. */
export async function orFailed<T>(call: Promise<T>): Promise<T | Extract<NotMade, { kind: 'failed' }>> {
  try {
    return await call
  } catch (cause) {
    return { kind: 'failed', cause, retryAfterMs: undefined }
  }
}
