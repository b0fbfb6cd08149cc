import { Refusal } from '../../domain/errors.ts'
import type { AssetStore, StoredGroup } from '../../ports/asset-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { NewId } from '../../ports/ids.ts'
import type { Pause } from '../../ports/pause.ts'
import { type AssetVendor, orFailed, refusalOf } from './asset-vendor.ts'

/** The group for what an organization uploads without naming one. It is made when it is needed first. */
export interface DefaultGroup {
  obtain(vendor: AssetVendor, organizationId: string): Promise<StoredGroup>
  /** Another one in its place, because the vendor no longer knows this one. */
  replace(vendor: AssetVendor, gone: StoredGroup): Promise<StoredGroup>
}

export interface DefaultGroupTools {
  assets: Pick<
    AssetStore,
    'findDefaultGroup' | 'claimDefaultGroup' | 'releaseDefaultGroup' | 'setDefaultGroup'
  >
  newId: NewId
  clock: Clock
  pause: Pause
  /** How long a request waits for a group that another one makes. */
  patienceMs?: number
}

/** Longer than the vendor's answer may take: of two at once, one of the groups would be lost. */
const LEASE_MS = 90_000
const PATIENCE_MS = 15_000
const LOOK_AGAIN_MS = 50

/** However many need it at once, in this process or in others, one of them makes it and the others wait. */
export function defaultGroup(tools: DefaultGroupTools): DefaultGroup {
  const { assets, newId, clock, pause, patienceMs = PATIENCE_MS } = tools
  const underWay = new Map<string, Promise<StoredGroup>>()

  return {
    obtain: (vendor, organizationId) => share(vendor, { organizationId, goneTicket: undefined }),
    replace: (vendor, { organizationId, ticket }) => share(vendor, { organizationId, goneTicket: ticket }),
  }

  /** Requests of this process look together, so that a crowd is one reader of the store. */
  function share(vendor: AssetVendor, wish: Wish): Promise<StoredGroup> {
    const name = `${wish.organizationId} ${wish.goneTicket ?? ''}`
    const search = underWay.get(name) ?? findOrMake(vendor, wish).finally(() => underWay.delete(name))
    underWay.set(name, search)
    return search
  }

  async function findOrMake(vendor: AssetVendor, wish: Wish): Promise<StoredGroup> {
    const { provider } = vendor
    const { organizationId } = wish
    const untilMs = clock.monotonicMs() + patienceMs
    for (;;) {
      const found = await find(provider, wish)
      if (found !== undefined) return found
      const nowMs = clock.nowMs()
      const claim = { organizationId, provider, leaseUntilMs: nowMs + LEASE_MS }
      if (await assets.claimDefaultGroup({ ...claim, seenTicket: wish.goneTicket, nowMs })) {
        return make(vendor, claim)
      }
      if (clock.monotonicMs() >= untilMs) throw unavailable()
      await pause(LOOK_AGAIN_MS)
    }
  }

  async function find(provider: string, { organizationId, goneTicket }: Wish) {
    const group = await assets.findDefaultGroup({ organizationId, provider })
    return group?.ticket === goneTicket ? undefined : group
  }

  async function make({ provider, service }: AssetVendor, claim: Claim): Promise<StoredGroup> {
    const { organizationId } = claim
    const id = newId('group')
    const creation = await orFailed(service.createGroup({ name: id }))
    if (creation.kind !== 'made') {
      await assets.releaseDefaultGroup(claim)
      throw refusalOf(creation, { isAboutAPerson: false })
    }
    const ticket = creation.groupTicket
    const createdAtMs = clock.nowMs()
    return assets.setDefaultGroup({ id, organizationId, kind: 'default', provider, ticket, createdAtMs })
  }
}

interface Wish {
  organizationId: string
  goneTicket: string | undefined
}

interface Claim {
  organizationId: string
  provider: string
  leaseUntilMs: number
}

function unavailable(): Refusal {
  const cause = new Error('another request did not finish the default group in time')
  return new Refusal('provider_unavailable', { message: 'The asset service is not available.', cause })
}
