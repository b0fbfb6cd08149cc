import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIds } from '../../../src/adapters/system/ids.ts'
import { defaultGroup } from '../../../src/app/assets/default-group.ts'
import { createWriteRetries } from '../../../src/app/waiting/retry-write.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import type { GroupCreation } from '../../../src/ports/asset-driver.ts'
import type { AssetStore } from '../../../src/ports/asset-store.ts'
import type { Pause } from '../../../src/ports/clock.ts'
import { openStoreInFolder, type StoreInFolder } from '../catalog/store-in-folder.ts'
import { createOrganizations } from '../store/sample-asset.ts'
import { SILENT_LOG } from '../store/silent-log.ts'

const LEASE_MS = 15_000

let folder: StoreInFolder
beforeAll(async () => {
  folder = await openStoreInFolder()
})
afterAll(() => folder.close())

let count = 0

/** An organization without a group, a vendor that counts the groups it makes, and a clock that the test moves. */
async function openScenario() {
  count += 1
  const organizationId = `org_${count}`
  const { store } = folder
  await createOrganizations(store, organizationId)
  const time = { nowMs: 1_000_000 }
  const clock = { nowMs: () => time.nowMs, monotonicMs: () => time.nowMs }
  let sleepers: { atMs: number; wake(): void }[] = []
  const pause: Pause = (ms) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    sleepers.push({ atMs: time.nowMs + ms, wake: resolve })
    return promise
  }
  const made: string[] = []
  let answer = async (): Promise<GroupCreation> => ({ kind: 'made', groupTicket: `ticket-${made.length}` })
  const driver = {
    createGroup: ({ name }: { name: string }) => {
      made.push(name)
      return answer()
    },
  }
  const openProcess = ({ assets = store.assets, isDead = false }: Partial<Process> = {}) => {
    const pauseHere: Pause = isDead ? () => new Promise(() => {}) : pause
    const retries = createWriteRetries({ clock, pause: pauseHere, log: SILENT_LOG })
    const newId = createIds(clock)
    const groups = defaultGroup({ assets, retries, newId, clock, pause: pauseHere, log: SILENT_LOG })
    const vendor = { provider: 'vendorA', driver, canDelete: true }
    return { obtain: () => groups.obtain(vendor, organizationId) }
  }
  /** Resolves when every woken waiter has queried the store. */
  const untilIdle = async () => {
    const unused = { organizationId: 'org_none', provider: 'vendorA', leaseUntilMs: 0 }
    for (let round = 0; round < 8; round += 1) await store.assets.releaseDefaultGroup(unused)
  }
  const pass = async (ms: number) => {
    const untilMs = time.nowMs + ms
    await untilIdle()
    for (;;) {
      const nextMs = Math.min(...sleepers.map(({ atMs }) => atMs))
      if (nextMs > untilMs) break
      time.nowMs = nextMs
      const due = sleepers.filter(({ atMs }) => atMs === nextMs)
      sleepers = sleepers.filter(({ atMs }) => atMs !== nextMs)
      for (const { wake } of due) wake()
      await untilIdle()
    }
    time.nowMs = untilMs
  }
  return {
    openProcess,
    pass,
    pause,
    made,
    assets: store.assets,
    answerWith: (next: () => Promise<GroupCreation>) => {
      answer = next
    },
  }
}

interface Process {
  assets: AssetStore
  /** Whether its pauses never end, so that it does nothing more. */
  isDead: boolean
}

/** Shows the state of a promise without waiting for it. */
function watch<T>(promise: Promise<T>) {
  const state: { outcome: 'pending' | 'fulfilled' | string; value?: T } = { outcome: 'pending' }
  promise.then(
    (value) => Object.assign(state, { outcome: 'fulfilled', value }),
    (error: unknown) =>
      Object.assign(state, { outcome: error instanceof ApiError ? error.code : String(error) }),
  )
  return state
}

test('a maker that dies delays the next maker by its lease, and no longer', async () => {
  const { openProcess, pass, made, answerWith } = await openScenario()
  answerWith(() => new Promise(() => {}))
  watch(openProcess({ isDead: true }).obtain())
  await pass(0)
  expect(made).toHaveLength(1)
  answerWith(async () => ({ kind: 'made', groupTicket: 'ticket-of-the-next' }))
  const next = watch(openProcess().obtain())
  await pass(LEASE_MS - 1)
  expect(next.outcome).toBe('pending')
  await pass(100)
  expect(next).toMatchObject({ outcome: 'fulfilled', value: { ticket: 'ticket-of-the-next' } })
})

test('a running maker keeps its claim, even when the vendor is slow', async () => {
  const { openProcess, pass, pause, made, answerWith } = await openScenario()
  answerWith(async () => {
    await pause(58_000)
    return { kind: 'made', groupTicket: 'ticket-late' }
  })
  const maker = watch(openProcess().obtain())
  await pass(0)
  const impatient = watch(openProcess().obtain())
  await pass(45_000)
  expect(impatient.outcome).toBe('provider_unavailable')
  const patient = watch(openProcess().obtain())
  await pass(13_100)
  expect(made).toHaveLength(1)
  for (const { outcome, value } of [maker, patient])
    expect({ outcome, value }).toMatchObject({ outcome: 'fulfilled', value: { ticket: 'ticket-late' } })
})

test('a late refusal of the vendor frees the claim immediately', async () => {
  const { openProcess, pass, pause, answerWith } = await openScenario()
  answerWith(async () => {
    await pause(30_000)
    return { kind: 'refused', apiError: new ApiError('upstream_busy') }
  })
  const maker = watch(openProcess().obtain())
  await pass(30_000)
  expect(maker.outcome).toBe('upstream_busy')
  answerWith(async () => ({ kind: 'made', groupTicket: 'ticket-of-the-next' }))
  const next = watch(openProcess().obtain())
  await pass(0)
  expect(next).toMatchObject({ outcome: 'fulfilled', value: { ticket: 'ticket-of-the-next' } })
})

test('the group of the vendor is stored, even if the store is unreachable for a while', async () => {
  const { openProcess, pass, made, assets } = await openScenario()
  let failures = 6
  const coming: AssetStore = {
    ...assets,
    setDefaultGroup: (group) => {
      failures -= 1
      return failures >= 0 ? Promise.reject(new ApiError('store_unavailable')) : assets.setDefaultGroup(group)
    },
  }
  const maker = watch(openProcess({ assets: coming }).obtain())
  const other = watch(openProcess().obtain())
  await pass(5_000)
  expect(made).toHaveLength(1)
  for (const { outcome, value } of [maker, other])
    expect({ outcome, value }).toMatchObject({ outcome: 'fulfilled', value: { ticket: 'ticket-1' } })
})

test('sixty requests in three processes make one group', async () => {
  const { openProcess, pass, made } = await openScenario()
  const processes = [openProcess(), openProcess(), openProcess()]
  const all = processes.flatMap(({ obtain }) => Array.from({ length: 20 }, () => watch(obtain())))
  await pass(1_000)
  expect(made).toHaveLength(1)
  expect(new Set(all.map(({ value }) => value?.id)).size).toBe(1)
  for (const { outcome } of all) expect(outcome).toBe('fulfilled')
})
