import type { Clock, Pause } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { VendorIdOwner, VendorIdStore } from '../../../ports/request-claims.ts'
import type { Secrets } from '../../../ports/secrets.ts'

const KEPT_MS = 30 * 24 * 3_600_000
/** While the store is unreachable so many wait for it; what comes then is lost, and refused when a client names it. */
const WAITING_MAX = 20_000
const GROUP_MAX = 512
/** Another replica writes the ids that it has seen within this time. */
const WRITTEN_WITHIN_MS = 250
const DROPPED_MAX = 5_000

/** Whose account at which vendor. */
export interface IdScope {
  organizationId: string
  provider: string
}

/** Which organization got which id, of a vendor whose account all of them share. */
export interface VendorIds {
  /** At once; they are written a moment later. */
  keep(scope: IdScope, ids: readonly string[]): void
  /** Those of the ids that this organization did not get from this vendor. */
  findForeign(scope: IdScope, ids: readonly string[]): Promise<ReadonlySet<string>>
  waiting(): number
  /** Writes the oldest that wait. False when it has to be tried again. Never two at a time. */
  writeGroup(): Promise<boolean>
  /** Calls when the first one waits. */
  whenDue(wake: () => void): void
  dropExpired(): Promise<void>
}

interface Kept extends IdScope {
  id: string
}

export function createVendorIds({
  store,
  secrets,
  clock,
  log,
  pause,
}: {
  store: VendorIdStore
  secrets: Pick<Secrets, 'digest' | 'digests'>
  clock: Clock
  log: Log
  pause: Pause
}): VendorIds {
  const waiting = new Map<string, Kept>()
  let wake = () => {}

  return {
    keep({ organizationId, provider }, ids) {
      for (const id of ids) {
        if (waiting.size >= WAITING_MAX) return
        const kept = { organizationId, provider, id }
        waiting.set(nameOf(kept), kept)
        if (waiting.size === 1) wake()
        if (waiting.size === WAITING_MAX) log.warn('vendor_ids.dropped', { count: WAITING_MAX })
      }
    },
    async findForeign(scope, ids) {
      const digests = new Map(ids.map((id) => [id, secrets.digests(textOf({ ...scope, id }))]))
      const missing = await findMissing(scope, digests)
      if (missing.size === 0) return new Set()
      await pause(WRITTEN_WITHIN_MS)
      return new Set((await findMissing(scope, missing)).keys())
    },
    waiting: () => waiting.size,
    async writeGroup() {
      const group = waiting.entries().take(GROUP_MAX).toArray()
      if (group.length === 0) return true
      const owners = group.map(([, kept]): VendorIdOwner => {
        return { digest: secrets.digest(textOf(kept)), organizationId: kept.organizationId }
      })
      try {
        await store.keep({ owners, expiresAtMs: clock.nowMs() + KEPT_MS })
      } catch (error) {
        log.debug('vendor_ids.waiting', { count: waiting.size, error })
        return false
      }
      for (const [name] of group) waiting.delete(name)
      return true
    },
    whenDue(listener) {
      wake = listener
    },
    async dropExpired() {
      await store.dropExpired({ nowMs: clock.nowMs(), limit: DROPPED_MAX })
    },
  }

  /** Those ids, with their digests: each digest costs time, so it is made once. */
  async function findMissing(
    scope: IdScope,
    digests: ReadonlyMap<string, readonly string[]>,
  ): Promise<Map<string, readonly string[]>> {
    const asked = [...digests].filter(([id]) => !waiting.has(nameOf({ ...scope, id })))
    if (asked.length === 0) return new Map()
    const { organizationId } = scope
    const wanted = { organizationId, digests: asked.flatMap(([, own]) => own), nowMs: clock.nowMs() }
    const found = new Set(await store.find(wanted))
    return new Map(asked.filter(([, own]) => !own.some((digest) => found.has(digest))))
  }
}

function textOf({ provider, id }: Pick<Kept, 'provider' | 'id'>): string {
  return `vendor id ${provider} ${id}`
}

function nameOf({ organizationId, provider, id }: Kept): string {
  return `${organizationId} ${provider} ${id}`
}
