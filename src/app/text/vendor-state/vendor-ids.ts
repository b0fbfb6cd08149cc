import type { Clock, Pause } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { VendorIdOwner, VendorIdStore } from '../../../ports/request-claims.ts'
import type { Secrets } from '../../../ports/secrets.ts'

const KEPT_MS = 30 * 24 * 3_600_000
/** Maximum ids that wait while the store is unreachable. Ids beyond it are lost, and refused when a client names them. */
const WAITING_MAX = 20_000
const GROUP_MAX = 512
/** Time within which another replica writes the ids that it has seen. */
const WRITTEN_WITHIN_MS = 250
const DROPPED_MAX = 5_000

/** An organization and a provider, whose account may be shared by all organizations. */
export interface IdScope {
  organizationId: string
  provider: string
}

/** Records which organization received which id from a vendor account that all organizations share. */
export interface VendorIds {
  /** Returns at once; the ids are written a moment later. */
  keep(scope: IdScope, ids: readonly string[]): void
  /** Returns the ids that this organization did not receive from this vendor. */
  findForeign(scope: IdScope, ids: readonly string[]): Promise<ReadonlySet<string>>
  waiting(): number
  /** Writes the oldest waiting ids. False when the write has to be retried. Never called twice at a time. */
  writeGroup(): Promise<boolean>
  /** Calls `wake` when an id begins to wait. */
  whenDue(wake: () => void): void
  dropExpired(): Promise<void>
}

interface WaitingId extends IdScope {
  id: string
}

export function createVendorIds(tools: {
  store: VendorIdStore
  secrets: Pick<Secrets, 'digest' | 'digests'>
  clock: Clock
  log: Log
  pause: Pause
}): VendorIds {
  const { store, secrets, clock, log, pause } = tools
  const waiting = new Map<string, WaitingId>()
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

  /** Returns the missing ids with their digests: a digest costs time, so it is made once. */
  async function findMissing(
    scope: IdScope,
    digests: ReadonlyMap<string, readonly string[]>,
  ): Promise<Map<string, readonly string[]>> {
    const unwritten = [...digests].filter(([id]) => !waiting.has(nameOf({ ...scope, id })))
    if (unwritten.length === 0) return new Map()
    const { organizationId } = scope
    const wanted = { organizationId, digests: unwritten.flatMap(([, own]) => own), nowMs: clock.nowMs() }
    const found = new Set(await store.find(wanted))
    return new Map(unwritten.filter(([, own]) => !own.some((digest) => found.has(digest))))
  }
}

function textOf({ provider, id }: Pick<WaitingId, 'provider' | 'id'>): string {
  return `vendor id ${provider} ${id}`
}

function nameOf({ organizationId, provider, id }: WaitingId): string {
  return `${organizationId} ${provider} ${id}`
}
