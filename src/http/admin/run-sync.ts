import type { App } from '../../app/app.ts'
import type { QuotaSync } from '../../app/limits/sync/announce-quota-change.ts'
import { ADMIN_KEY_ACTOR } from '../../domain/access/operator-account.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { EdgeRequest } from '../edge-request.ts'

/** Message of the contract for a failed sync. */
export const SYNC_FAILED = 'sync failed'
export const SYNC_NOT_WIRED = 'quota service not wired'

export type RunSync = (work: (quotaSync: QuotaSync) => Promise<void>) => Promise<void>

/** Name for the audit row of an operator with a token; the admin key has no name. */
export function operatorNameOf(admin: EdgeRequest['admin']): string | undefined {
  return admin === undefined || admin.actor === ADMIN_KEY_ACTOR ? undefined : admin.actor
}

/** All failures on our side get one answer; the log has the details. The guard limits the time. */
export function syncRunner({ app }: { app: App }): RunSync {
  return async (work) => {
    const { quotaSync } = app
    if (quotaSync === undefined) throw new ApiError('billing_unavailable', { message: SYNC_NOT_WIRED })
    try {
      await work(quotaSync)
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) throw error
      throw new ApiError('internal_error', { message: SYNC_FAILED, cause: error })
    }
  }
}
