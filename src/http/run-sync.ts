import type { App } from '../app/app.ts'
import type { QuotaSync } from '../app/quota/quota-sync.ts'
import { Refusal } from '../domain/errors.ts'
import type { HandlerParts } from './operation.ts'

/** What the routes say when a sync did not go well, in the contract's words. */
export const SYNC_FAILED = 'sync failed'
export const SYNC_TIMED_OUT = 'sync timed out'
export const SYNC_NOT_WIRED = 'quota service not wired'

export type RunSync = (work: (quotaSync: QuotaSync) => Promise<void>) => Promise<void>

/** Runs one sync within its time. What went wrong on our side is one answer, whatever it was; the log has the rest. */
export function syncRunner({ app, admin }: Pick<HandlerParts, 'app' | 'admin'>): RunSync {
  return async (work) => {
    const sync = startSync(app, work)
    const time = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      time.reject(new Refusal('internal_error', { message: SYNC_TIMED_OUT }))
    }, admin?.syncMsMax)
    try {
      await Promise.race([sync, time.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}

async function startSync({ quotaSync }: App, work: Parameters<RunSync>[0]): Promise<void> {
  if (quotaSync === undefined) throw new Refusal('billing_unavailable', { message: SYNC_NOT_WIRED })
  try {
    await work(quotaSync)
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) throw error
    throw new Refusal('internal_error', { message: SYNC_FAILED, cause: error })
  }
}
