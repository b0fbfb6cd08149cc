import { ApiError } from '../src/domain/api-error.ts'
import { AssetClient } from './actors/asset-client.ts'
import { createAssetVendor } from './actors/asset-vendor.ts'
import { Operator } from './actors/operator.ts'
import { Receiver } from './actors/receiver.ts'
import { TextClient } from './actors/text-client.ts'
import { createTextVendor } from './actors/text-vendor.ts'
import { VideoClient } from './actors/video-client.ts'
import { createVideoVendor } from './actors/video-vendor.ts'
import { AssetBooks } from './books/asset-books.ts'
import { AttemptBooks } from './books/attempt-books.ts'
import { LedgerBooks } from './books/ledger-books.ts'
import { PriceList } from './books/price-list.ts'
import { SpendingBooks } from './books/spending-books.ts'
import { TextBooks } from './books/text-books.ts'
import { VideoBooks } from './books/video-books.ts'
import { Violation } from './books/violation.ts'
import { setWorld } from './kernel/replace-system.ts'
import { OUTSIDE, World } from './kernel/world.ts'
import { Deployment } from './parts/deployment.ts'
import { createFaults, type FaultKind } from './parts/faults.ts'
import { createGate } from './parts/gate.ts'
import type { Plant, Surroundings } from './parts/replica.ts'
import { createSimCache } from './parts/sim-cache.ts'
import { openSimStore } from './parts/sim-store.ts'

export interface SimulationSettings {
  seed: number
  /** Number of events during which faults happen; open work has to end after the last fault. */
  steps: number
  replicas: number
  organizations: number
  without: ReadonlySet<FaultKind>
  /** False: clients request text alone. */
  withVideo: boolean
  plant: Plant
  keepsTrace: boolean
}

export interface SimulationEnd {
  violation: Violation | undefined
  /** Two runs of one seed have the same digest. */
  digest: string
  events: number
  /** Seconds of virtual time. */
  seconds: number
  requests: number
  faults: ReadonlyMap<FaultKind, number>
  trace: readonly string[]
}

/** Maximum time for open work to end once there are no faults. */
const END_WITHIN_MS = 400_000
/** After a jump of a clock only text has to end, retries included: the deadline of a task may be hours ahead. */
const END_AFTER_JUMP_MS = 110_000
/** Idle replicas have returned their holds by then, and the holds of crashed replicas have expired. */
const QUIET_MS_MAX = 100_000
/** Late writes and late callbacks come within this. */
const QUIET_MS_MIN = 12_000
const TROUBLE_EVERY_MS = 1_000
const FAR_AHEAD_MS = 7_200_000

/** Rejections that no code handled: a fault of the application, or of the simulator. */
const unhandled: unknown[] = []

export function catchUnhandled(): void {
  process.on('unhandledRejection', (error) => unhandled.push(error))
}

/** One run of one seed, from an empty store to the end of all work. */
export async function simulate(settings: SimulationSettings): Promise<SimulationEnd> {
  const { seed, steps, keepsTrace } = settings
  unhandled.length = 0
  const world = new World(seed, { keepsTrace })
  setWorld(world)
  const faults = createFaults(world, settings.without)
  const run = await open(world, settings)
  let violation: Violation | undefined
  try {
    await run.begin()
    while (world.eventCount < steps) await run.step()
    await run.end()
  } catch (error) {
    violation = error instanceof Violation ? error : new Violation('simulator', describe(error))
  }
  run.close()
  return {
    violation,
    digest: world.digest(),
    events: world.eventCount,
    seconds: world.nowMs / 1_000,
    requests: run.requests(),
    faults: run.faults.counts,
    trace: world.lines,
  }

  async function open(inWorld: World, { replicas, organizations, plant }: SimulationSettings) {
    const store = await openSimStore()
    const cache = createSimCache(inWorld)
    const vendor = createTextVendor({ world: inWorld, faults })
    const attempts = new AttemptBooks()
    const assets = new AssetBooks({ database: store.database, nowMs: () => inWorld.nowMs })
    const videoVendor = createVideoVendor({
      ...{ world: inWorld, faults, attempts, assets },
      notifyReplica: (notice) => notifyOne(notice),
    })
    const receiver = new Receiver({ world: inWorld, faults })
    const prices = new PriceList()
    const ledger = new LedgerBooks(store.database)
    const limits = { database: store.database, nowMs: () => inWorld.nowMs, replicas }
    const days = new SpendingBooks({ ...limits, of: 'user' })
    const keyBudgets = new SpendingBooks({ ...limits, of: 'key' })
    const text = new TextBooks({ world: inWorld, database: store.database, prices, calls: vendor.calls })
    const video = new VideoBooks({ world: inWorld, database: store.database, attempts, receiver })
    const offsets = new Map<string, number>()
    const parts = { world: inWorld, faults }
    const lostStore = () => new ApiError('store_unavailable')
    const lostCache = () => new Error('the cache does not answer')
    const surroundings: Surroundings = {
      ...{ world: inWorld, store, cache, plant },
      gates: {
        store: createGate({ ...parts, engine: 'store', lost: lostStore }),
        cache: createGate({ ...parts, engine: 'cache', lost: lostCache }),
      },
      textProvider: vendor.openFor,
      videoDriver: videoVendor.openFor,
      assetDriver: createAssetVendor({ world: inWorld, faults, books: assets }),
      sendCallback: (owner) => receiver.sendFor(owner),
      clockOffsetMs: ({ name }) => offsets.get(name) ?? 0,
      logged: ({ name }, level, event, error) =>
        inWorld.trace(name, `logs ${event}${level === 'error' ? ` (${describe(error)})` : ''}`),
      outage: (engine, lastsMs) => {
        if (engine === 'store') prices.outage(inWorld.nowMs, inWorld.nowMs + lastsMs)
        for (const books of [days, keyBudgets]) books.outage(inWorld.nowMs + lastsMs)
      },
      started() {
        for (const books of [days, keyBudgets]) books.replicaStarted()
      },
    }
    const operator = new Operator({ ...parts, prices, ledger, days, keyBudgets, assets, surroundings })
    const deployment = new Deployment({ ...parts, surroundings, size: replicas })
    const clients: TextClient[] = []
    let seenChanges = 0

    function notifyOne(notice: { token: string; ticket: string }): void {
      const replica = deployment.pick(faults.random)
      if (replica === undefined) return
      inWorld.after(1, replica.owner, 'notice arrives', () => replica.app.takeNotice?.(notice))
    }

    function check(): void {
      const [fault] = [...unhandled, ...deployment.faultsSeen]
      if (fault instanceof Violation) throw fault
      if (fault !== undefined) throw new Violation('fault', describe(fault))
      if (store.changes === seenChanges) return
      seenChanges = store.changes
      ledger.check()
      text.check()
      video.check()
      days.check()
      keyBudgets.check()
    }

    async function step(): Promise<void> {
      if (!(await inWorld.step())) throw new Violation('simulator', 'nothing is left to happen')
      check()
    }

    function trouble(): void {
      inWorld.after(TROUBLE_EVERY_MS, OUTSIDE, 'trouble', () => {
        if (faults.areOver) return
        deployment.trouble()
        operator.act()
        jumpClocks()
        trouble()
      })
    }

    function jumpClocks(): void {
      const replica = deployment.pick(faults.random)
      if (replica === undefined || !faults.happens('clock-jump', 0.02)) return
      const byMs = faults.random.whole(-FAR_AHEAD_MS, FAR_AHEAD_MS)
      inWorld.trace(replica.owner.name, `has its clock set by ${byMs} ms`)
      offsets.set(replica.owner.name, (offsets.get(replica.owner.name) ?? 0) + byMs)
    }

    /** Runs events until the promise has a value. */
    async function until<T>(promise: Promise<T>): Promise<T> {
      let isOver = false
      const over = promise.finally(() => {
        isOver = true
      })
      over.catch(() => {})
      await inWorld.drain()
      while (!isOver) await step()
      return over
    }

    return {
      faults,
      step,
      requests: () => text.attemptCount,
      close: () => store.database.close(),
      async begin() {
        const tenants = await until(operator.makeTenants(organizations))
        for (const [number, who] of tenants.entries())
          clients.push(new TextClient({ ...parts, deployment, books: text, who, number: number + 1 }))
        if (settings.withVideo)
          for (const [index, who] of tenants.entries()) {
            const customer = { ...parts, deployment, who, number: index + 1 }
            new VideoClient({ ...customer, books: video, assets })
            new AssetClient({ ...customer, books: assets })
          }
        trouble()
      },
      async end() {
        inWorld.trace('simulator', 'stops all faults')
        faults.stop()
        surroundings.gates.store.isUp = true
        surroundings.gates.cache.isUp = true
        offsets.clear()
        const clocksJumped = faults.counts.has('clock-jump')
        const deadlineMs = inWorld.nowMs + (clocksJumped ? END_AFTER_JUMP_MS : END_WITHIN_MS)
        const isOpen = () =>
          !deployment.isComplete ||
          (video.hasOpenTasks && !clocksJumped) ||
          clients.some(({ isIdle }) => !isIdle)
        while (isOpen() && inWorld.nowMs < deadlineMs) await step()
        if (isOpen()) throw new Violation('no-end', 'work is still open without any fault')
        const quietSinceMs = inWorld.nowMs
        const isQuietFor = (ms: number) => inWorld.nowMs >= quietSinceMs + ms
        while (!isQuietFor(QUIET_MS_MIN)) await step()
        // Waits only while money is held: without holds, none is overdue.
        while (!clocksJumped && ledger.hasOpenHolds && !isQuietFor(QUIET_MS_MAX)) await step()
        text.checkEnd()
        if (!clocksJumped) ledger.checkEnd(inWorld.wallMs)
        if (!clocksJumped) video.checkEnd()
        if (!clocksJumped) assets.checkEnd(inWorld.wallMs)
        const found = await store.direct.ledger.check({ nowMs: Math.floor(inWorld.wallMs), limit: 3 })
        const [first] = found
        if (first !== undefined)
          throw new Violation(`ledger-${first.invariant}`, `${first.subject}: ${first.message}`)
      },
    }
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
