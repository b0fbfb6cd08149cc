import type { VendorIds } from '../app/text/vendor-state/vendor-ids.ts'
import type { Log } from '../ports/log.ts'
import type { Loop } from './schedule.ts'

const GATHER_MS = 20
const RETRY_MS = 1_000

/** Writes the ids of replies in groups, a moment after the first id came. Sets no timer while no id waits. */
export function startVendorIdWriter(tools: {
  vendorIds: Pick<VendorIds, 'waiting' | 'writeGroup' | 'whenDue'>
  log: Log
}): Loop {
  const { vendorIds, log } = tools
  let isStopped = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  vendorIds.whenDue(() => schedule(GATHER_MS))

  return {
    /** Writes waiting ids once more, without waiting for an unreachable store. */
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
      let isWell = true
      while (isWell && vendorIds.waiting() > 0) isWell = await vendorIds.writeGroup()
      if (!isWell) log.warn('vendor_ids.write_failed', { count: vendorIds.waiting() })
    },
  }

  function schedule(afterMs: number): void {
    if (isStopped || running !== undefined) return
    clearTimeout(timer)
    timer = setTimeout(begin, afterMs).unref()
  }

  function begin(): void {
    running = vendorIds.writeGroup().then((isWell) => {
      running = undefined
      if (vendorIds.waiting() > 0) schedule(isWell ? 0 : RETRY_MS)
    })
  }
}
