import { DRIVERS, type Provider } from '../../src/adapters/providers/drivers.ts'
import { systemPause } from '../../src/adapters/system/clock.ts'
import { createIds } from '../../src/adapters/system/ids.ts'
import { createSecrets } from '../../src/adapters/system/secrets.ts'
import { confirmSecret } from '../../src/app/access/confirm-secret.ts'
import type { App } from '../../src/app/app.ts'
import { openPriceBook } from '../../src/app/catalog/price-book.ts'
import { dropExpiredKeys } from '../../src/app/idempotency/drop-expired-keys.ts'
import { createLiveRequests } from '../../src/app/live-requests.ts'
import { createBodyTurns } from '../../src/app/waiting/body-turns.ts'
import { createDeadlineClock } from '../../src/app/waiting/deadline-clock.ts'
import { createTimeBook } from '../../src/app/waiting/time-book.ts'
import { composeApp } from '../../src/compose/app.ts'
import { composeAssets } from '../../src/compose/assets.ts'
import { composeBilling } from '../../src/compose/billing.ts'
import { readConfig } from '../../src/compose/config.ts'
import { composeEvents } from '../../src/compose/events.ts'
import { composeLimits } from '../../src/compose/limits.ts'
import { ownersOfModels, servedModels } from '../../src/compose/served-models.ts'
import { composeText } from '../../src/compose/text.ts'
import type { Tools } from '../../src/compose/tools.ts'
import { composeVideo } from '../../src/compose/video.ts'
import { ApiError } from '../../src/domain/api-error.ts'
import { builtInModels } from '../../src/domain/catalog/built-in.ts'
import { createCalendar } from '../../src/domain/limits/calendar-day.ts'
import type { AssetDriver } from '../../src/ports/asset-driver.ts'
import type { SendCallback } from '../../src/ports/callbacks.ts'
import { passCheckpoint } from '../../src/ports/checkpoint.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { ProviderHealth } from '../../src/ports/installation.ts'
import type { LogEvent } from '../../src/ports/log-events.ts'
import type { Keyring } from '../../src/ports/secrets.ts'
import type { Store } from '../../src/ports/store.ts'
import type { TextProvider } from '../../src/ports/text-provider.ts'
import type { VideoDriver } from '../../src/ports/video-driver.ts'
import { startWorker } from '../../src/workers/schedule.ts'
import { silentMetrics } from '../../test/silent-metrics.ts'
import type { Owner, World } from '../kernel/world.ts'
import type { Gate } from './gate.ts'
import type { SimCache } from './sim-cache.ts'
import type { SimStore } from './sim-store.ts'

/** One running gateway: the real application on simulated ports. */
export interface Replica {
  owner: Owner
  app: App
  tools: Tools
  store: Store
  /** Closes the replica after a signal to end: running work is finished or returned. */
  close(): Promise<void>
}

/** Parts that all replicas share, and the plants that break one of them. */
export interface Surroundings {
  world: World
  store: SimStore
  cache: SimCache
  gates: { store: Gate; cache: Gate }
  textProvider(owner: Owner): TextProvider
  videoDriver(owner: Owner, provider: string): VideoDriver
  assetDriver(owner: Owner): AssetDriver
  sendCallback(owner: Owner): SendCallback
  /** Offset of this replica's wall clock from the true one. */
  clockOffsetMs(owner: Owner): number
  /** A line of a replica's log. */
  logged(owner: Owner, level: 'warn' | 'error', event: LogEvent, error: unknown): void
  /** An engine cannot be reached for this time. */
  outage(engine: 'store' | 'cache', lastsMs: number): void
  /** A replica begins to serve. */
  started(): void
  /** A bug that is put in on purpose; empty in an ordinary run. */
  plant: Plant
}

/** A planted bug, at a port or around a use case: the simulator has to find it. */
export interface Plant {
  store?(store: Store): Store
  app?(app: App): App
  driver?(driver: VideoDriver): VideoDriver
  secrets?(secrets: Keyring): Keyring
}

export const SECRET = 'a secret of the simulator, the same in every run'

const NO_FILE = Object.assign(new Error('no such file'), { code: 'ENOENT' })

export const CONFIG = readConfig({
  environment: {
    SLUICE_SECRET: SECRET,
    VIDEO_WEBHOOK_BASE_URL: 'https://gateway.example',
    // A create call may take 70 s.
    SUBMITTING_RESOLVE_SECONDS: '80',
  },
  readFile: () => {
    throw NO_FILE
  },
})

/** Calendar of all runs: it depends on the time zone alone, and keeps nothing of a run. */
const CALENDAR = createCalendar(CONFIG.limits.timeZone)

const PROVIDERS: readonly Provider[] = Object.values(DRIVERS).flatMap((driver): Provider[] =>
  driver.sandbox('http://127.0.0.1:9'),
)

export function openSimTools(owner: Owner, { world, clockOffsetMs, logged, plant }: Surroundings): Tools {
  const secrets = createSecrets(SECRET)
  const clock: Clock = {
    nowMs: () => Math.floor(world.wallMs + clockOffsetMs(owner)),
    monotonicMs: () => world.nowMs,
  }
  const log: Tools['log'] = {
    debug() {},
    info() {},
    warn: (event, fields) => logged(owner, 'warn', event, fields?.error),
    error: (event, fields) => logged(owner, 'error', event, fields?.error),
    logRequest() {},
    flush: async () => {},
  }
  return {
    clock,
    book: createTimeBook({ clock }),
    deadlineClock: createDeadlineClock({ clock, log }),
    pause: systemPause,
    newId: createIds(clock),
    log,
    metrics: silentMetrics(),
    secrets: plant.secrets?.(secrets) ?? secrets,
    checkpoint: passCheckpoint,
    calendar: CALENDAR,
  }
}

/** Builds a replica in the order of the gateway; only the HTTP server and connections to the outside are left out. */
export async function startReplica(owner: Owner, surroundings: Surroundings): Promise<Replica> {
  const config = CONFIG
  const { gates, plant } = surroundings
  const tools = openSimTools(owner, surroundings)
  const { log, clock, deadlineClock } = tools
  const opened = surroundings.store.openFor(owner, gates.store)
  const store = plant.store?.(opened) ?? opened
  const { cache, limits: engines } = surroundings.cache.openFor(owner, gates.cache)
  const clockWatch = startWorker('clock-watch', { run: () => deadlineClock.look(), log })
  await confirmSecret({ ...store, ...tools })()
  await store.models.fillWhenEmpty(builtInModels(clock.nowMs()))
  const dropKeys = dropExpiredKeys({ ...store, clock: deadlineClock })
  const keyCleaner = startWorker('idempotency-key-cleaner', { run: dropKeys, log })
  const limits = composeLimits({ config, tools, store, cache, engines })
  const billing = await composeBilling({ tools, store, cache, limits, ...config.usage })
  const prices = openPriceBook({
    ...{ models: store.models, clock },
    ...{ offers: servedModels(PROVIDERS), ownerOf: ownersOfModels(PROVIDERS) },
  })
  const { sweepIntervalMs } = config.video
  const publicBaseUrl = () => 'https://gateway.example'
  const vendor = { provider: 'vendorA', driver: surroundings.assetDriver(owner), canDelete: true }
  const assets = composeAssets({ tools, store, vendor, publicBaseUrl, sweepIntervalMs })
  const names = ['vendorA', 'vendorB']
  const found = new Map(
    names.map((name) => {
      const bare = surroundings.videoDriver(owner, name)
      const driver = plant.driver?.(bare) ?? bare
      const expires = { expiresAfterSeconds: undefined, expiresMinSeconds: undefined }
      return [name, { name, driver, makes: () => true, ...expires }]
    }),
  )
  const send = surroundings.sendCallback(owner)
  const video = composeVideo({
    ...{ config, tools, store, limits, prices, assets },
    vendors: { find: (name) => found.get(name), names: () => names },
    send,
  })
  const provider = surroundings.textProvider(owner)
  const text = await composeText({
    ...{ config, tools, store, cache, prices, billing, turns: createBodyTurns(tools.clock, tools.book) },
    vendors: {
      find: (name) => (name === provider.name ? provider : undefined),
      close: async () => {},
    },
  })
  const app = await composeApp({
    ...{ config, tools, store, cache, limits, billing, prices, video, assets, text, publicBaseUrl },
    live: createLiveRequests(tools),
    installation: NO_INSTALLATION,
    openMedia: () => Promise.reject(new ApiError('upstream_error')),
    providers: {
      current: { serving: PROVIDERS, resting: [], byName: new Map(), disabled: new Set(), runsSandbox: true },
    },
    warnings: () => [],
  })
  const events = composeEvents({
    ...{ config, tools, store, limits, send },
    installation: NO_INSTALLATION,
    diskSpaceOf: async () => ({ freeBytes: 1, totalBytes: 1 }),
  })
  return {
    owner,
    tools,
    store,
    app: plant.app?.(app) ?? app,
    async close() {
      await text.close()
      await events.close()
      await video.close()
      await assets.close()
      await billing.close()
      limits.days.close()
      await Promise.all([keyCleaner.stop(), clockWatch.stop()])
      await store.close()
    },
  }
}

const NO_HEALTH: ProviderHealth = {
  ...{ breaker: 'closed', breakers: [], keysResting: 0 },
  ...{ calls: 0, errors: 0, refusals: 0, lastError: null },
}

const NO_INSTALLATION: App['installation'] = {
  listSettings: () => [],
  healthOf: () => NO_HEALTH,
  listHealth: () => [],
  listPresets: () => [],
  listVendorModels: async () => [],
  whyUnservable: () => undefined,
  testProvider: async () => [],
  runDoctor: async () => [],
}
