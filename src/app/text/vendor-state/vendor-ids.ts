import type { VendorIdOwner, VendorIdStore } from '../../../ports/request-claims.ts'
import type { Secrets } from '../../../ports/secrets.ts'
import type { Runtime } from '../../runtime.ts'

const KEPT_MS = 30 * 24 * 3_600_000
/**
 * Maximum ids that wait while the store is unreachable. An organization with as many waiting ids as there are free
 * slots gets no more. Ids without a slot are lost, and refused when a client names them.
 */
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
  /** Returns immediately; the ids are written a moment later. */
  keep(scope: IdScope, ids: readonly string[]): void
  findForeign(scope: IdScope, ids: readonly string[]): Promise<ReadonlySet<string>>
  waiting(): number
  /** Writes the oldest waiting ids. Returns false when the write has to be retried. Calls must not overlap. */
  writeGroup(): Promise<boolean>
  /** Calls `wake` when an id begins to wait. */
  whenDue(wake: () => void): void
  dropExpired(): Promise<void>
}

interface WaitingId extends IdScope {
  id: string
}

export function createVendorIds(
  tools: Pick<Runtime, 'clock' | 'log' | 'pause'> & {
    store: VendorIdStore
    secrets: Pick<Secrets, 'digest' | 'digests'>
  },
): VendorIds {
  const { store, secrets, clock, log, pause } = tools
  /** Waiting ids by organization. An organization without waiting ids has no entry. */
  const waiting = new Map<string, Map<string, WaitingId>>()
  let waitingCount = 0
  let hasLoggedLoss = false
  let wake = () => {}

  return {
    keep({ organizationId, provider }, ids) {
      for (const id of ids) if (!wait({ organizationId, provider, id })) return noteLoss()
    },
    async findForeign(scope, ids) {
      const digests = new Map(ids.map((id) => [id, secrets.digests(textOf({ ...scope, id }))]))
      const missing = await findMissing(scope, digests)
      if (missing.size === 0) return new Set()
      await pause(WRITTEN_WITHIN_MS)
      return new Set((await findMissing(scope, missing)).keys())
    },
    waiting: () => waitingCount,
    async writeGroup() {
      const group = nextGroup()
      if (group.length === 0) return true
      const owners = group.map((kept): VendorIdOwner => {
        return { digest: secrets.digest(textOf(kept)), organizationId: kept.organizationId }
      })
      try {
        await store.keep({ owners, expiresAtMs: clock.nowMs() + KEPT_MS })
      } catch (error) {
        log.debug('vendor_ids.waiting', { count: waitingCount, error })
        return false
      }
      for (const kept of group) remove(kept)
      hasLoggedLoss = false
      return true
    },
    whenDue(listener) {
      wake = listener
    },
    async dropExpired() {
      await store.dropExpired({ nowMs: clock.nowMs(), limit: DROPPED_MAX })
    },
  }

  /** Returns false when the organization has as many waiting ids as there are free slots. */
  function wait(kept: WaitingId): boolean {
    const { organizationId } = kept
    const own = waiting.get(organizationId) ?? new Map<string, WaitingId>()
    if (own.has(nameOf(kept))) return true
    if (own.size >= WAITING_MAX - waitingCount) return false
    waiting.set(organizationId, own.set(nameOf(kept), kept))
    waitingCount += 1
    if (waitingCount === 1) wake()
    return true
  }

  function remove(kept: WaitingId): void {
    const own = waiting.get(kept.organizationId)
    if (own?.delete(nameOf(kept)) !== true) return
    waitingCount -= 1
    if (own.size === 0) waiting.delete(kept.organizationId)
  }

  function noteLoss(): void {
    if (!hasLoggedLoss) log.warn('vendor_ids.dropped', { count: waitingCount })
    hasLoggedLoss = true
  }

  /** Takes the oldest ids of all organizations by turns. */
  function nextGroup(): WaitingId[] {
    const group: WaitingId[] = []
    let owners = [...waiting.values()].map((own) => own.values())
    while (owners.length > 0)
      owners = owners.filter((own) => {
        const { value } = group.length < GROUP_MAX ? own.next() : {}
        if (value !== undefined) group.push(value)
        return value !== undefined
      })
    return group
  }

  /** Returns the missing ids with their digests, which are made once because a digest costs time. */
  async function findMissing(
    scope: IdScope,
    digests: ReadonlyMap<string, readonly string[]>,
  ): Promise<Map<string, readonly string[]>> {
    const unwritten = [...digests].filter(
      ([id]) => !waiting.get(scope.organizationId)?.has(nameOf({ ...scope, id })),
    )
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
