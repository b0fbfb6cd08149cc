import type { AssetDriver, Unanswered } from '../../src/ports/asset-driver.ts'
import type { AssetBooks } from '../books/asset-books.ts'
import { OUTSIDE, type Owner, type World } from '../kernel/world.ts'
import type { Faults } from '../parts/faults.ts'

/** Few persons, so that organizations verify the same persons. */
const PERSONS = ['person 1', 'person 2', 'person 3']
const JOURNEY_MS_MAX = 40
const CHECKED_MS_MAX = 2_000
const SECRET_LINK = 'https://vendor.example/scan'

const UNANSWERED: Unanswered = {
  kind: 'unanswered',
  cause: new Error('no answer'),
  retryAfterMs: undefined,
}
const FAILED = { ...UNANSWERED, kind: 'failed' } as const

/** Stores media, and scans the faces of people. Its answers may be lost after it has done the work. */
export function createAssetVendor({
  world,
  faults,
  books,
}: {
  world: World
  faults: Faults
  books: AssetBooks
}) {
  const random = world.random.branch('asset vendor')
  const { records } = books
  const activeAtMs = new Map<string, number>()
  /** Whether each group exists; false once it was deleted. */
  const groups = new Map<string, boolean>()
  const groupsOfPersons = new Map<string, string>()
  /** Persons by the token of their verification; empty once the token was exchanged. */
  const tokens = new Map<string, string>()

  function newGroup(): string {
    const ticket = `group-${groups.size + 1}`
    groups.set(ticket, true)
    return ticket
  }

  function groupOf(person: string): string {
    const known = groupsOfPersons.get(person)
    if (known !== undefined && groups.get(known) === true) return known
    const made = newGroup()
    groupsOfPersons.set(person, made)
    return made
  }

  /** `act` runs at the vendor; `lost` is the replica's result when the answer does not come. */
  function ask<T>(owner: Owner, label: string, lost: T, act: () => T): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>()
    const isLost = faults.happens('vendor-silence', 0.05)
    const isDone = !isLost || random.chance(0.5)
    world.after(random.whole(0, JOURNEY_MS_MAX), OUTSIDE, `asset vendor ${label}`, () => {
      const answer = isDone ? act() : lost
      world.after(random.whole(0, JOURNEY_MS_MAX), owner, `${owner.name} hears ${label}`, () =>
        resolve(isLost ? lost : answer),
      )
    })
    return promise
  }

  return function openFor(owner: Owner): AssetDriver {
    return {
      createGroup: () =>
        ask<Awaited<ReturnType<AssetDriver['createGroup']>>>(owner, 'group', FAILED, () => ({
          kind: 'made',
          groupTicket: newGroup(),
        })),
      createAsset: ({ organizationId, groupTicket, name = '' }) =>
        ask<Awaited<ReturnType<AssetDriver['createAsset']>>>(owner, 'asset', FAILED, () => {
          if (groups.get(groupTicket) !== true) return { kind: 'group-gone' }
          const ticket = `asset-${records.size + 1}`
          records.set(ticket, { ticket, name, groupTicket, organizationId, isDeleted: false })
          activeAtMs.set(ticket, world.nowMs + random.whole(0, CHECKED_MS_MAX))
          world.trace('assets', `takes ${name} as ${ticket} into ${groupTicket}`)
          return { kind: 'accepted', ticket }
        }),
      getAsset: (ticket) =>
        ask<Awaited<ReturnType<AssetDriver['getAsset']>>>(owner, 'read asset', UNANSWERED, () => {
          if (records.get(ticket)?.isDeleted !== false) return { kind: 'gone' }
          const isActive = world.nowMs >= (activeAtMs.get(ticket) ?? 0)
          const url = isActive ? `https://vendor.example/${ticket}` : undefined
          const status = isActive ? 'active' : 'processing'
          return { kind: 'snapshot', snapshot: { status, url, error: undefined } }
        }),
      listAssets: async () => UNANSWERED,
      startVerification: ({ returnUrl }) =>
        ask<Awaited<ReturnType<AssetDriver['startVerification']>>>(owner, 'verification', FAILED, () => {
          const token = `token-${tokens.size + 1}`
          tokens.set(token, random.pick(PERSONS))
          return { kind: 'started', token, link: `${SECRET_LINK}?return=${encodeURIComponent(returnUrl)}` }
        }),
      exchange: (token) =>
        ask<Awaited<ReturnType<AssetDriver['exchange']>>>(owner, 'exchange', UNANSWERED, () => {
          const person = tokens.get(token) ?? ''
          tokens.set(token, '')
          return person === '' ? { kind: 'no-group' } : { kind: 'group', groupTicket: groupOf(person) }
        }),
      deleteAsset: (ticket) =>
        ask<Awaited<ReturnType<AssetDriver['deleteAsset']>>>(owner, 'delete asset', UNANSWERED, () => {
          const record = records.get(ticket)
          if (record !== undefined) record.isDeleted = true
          world.trace('assets', `deletes ${ticket}`)
          return { kind: 'removed' }
        }),
      deleteGroup: (ticket) =>
        ask<Awaited<ReturnType<AssetDriver['deleteGroup']>>>(owner, 'delete group', UNANSWERED, () => {
          groups.set(ticket, false)
          for (const record of records.values()) if (record.groupTicket === ticket) record.isDeleted = true
          world.trace('assets', `deletes ${ticket}`)
          return { kind: 'removed' }
        }),
    }
  }
}
