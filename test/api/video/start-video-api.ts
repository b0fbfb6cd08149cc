import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMemoryDayBuckets } from '../../../src/adapters/memory/day-buckets.ts'
import { createMemoryCache } from '../../../src/adapters/memory/memory-cache.ts'
import { createMemoryRateMeter } from '../../../src/adapters/memory/rate-meter.ts'
import { systemClock, systemPause } from '../../../src/adapters/system/clock.ts'
import { createIds } from '../../../src/adapters/system/ids.ts'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { openPriceBook } from '../../../src/app/catalog/price-book.ts'
import { pollTask } from '../../../src/app/video/poll-task.ts'
import { sweepTasks } from '../../../src/app/video/sweep-tasks.ts'
import type { Vendor } from '../../../src/app/video/vendors.ts'
import { withdrawRevoked } from '../../../src/app/video/withdraw-revoked.ts'
import { createWriteRetries } from '../../../src/app/waiting/retry-write.ts'
import { createTimeBook } from '../../../src/app/waiting/time-book.ts'
import { composeApp } from '../../../src/compose/app.ts'
import { composeAssets } from '../../../src/compose/assets.ts'
import { composeBilling } from '../../../src/compose/billing.ts'
import { readConfig } from '../../../src/compose/config.ts'
import { composeLimits } from '../../../src/compose/limits.ts'
import { sandboxProviders } from '../../../src/compose/providers/provider-set.ts'
import { videoUseCases } from '../../../src/compose/video.ts'
import { builtInModels } from '../../../src/domain/catalog/built-in.ts'
import { createCalendar } from '../../../src/domain/limits/calendar-day.ts'
import { createAdminAccess } from '../../../src/http/admin/admin-key-check.ts'
import { answerMcp } from '../../../src/http/mcp/answer-mcp.ts'
import { createDrainState } from '../../../src/http/server/draining.ts'
import { readForwarded } from '../../../src/http/server/forwarded.ts'
import { createServer } from '../../../src/http/server/server.ts'
import type { AssetDriver } from '../../../src/ports/asset-driver.ts'
import type { AssetResolver } from '../../../src/ports/asset-store.ts'
import type { CheckpointName } from '../../../src/ports/checkpoint.ts'
import type { LogFields } from '../../../src/ports/log.ts'
import type { Metrics } from '../../../src/ports/metrics.ts'
import type { Store } from '../../../src/ports/store.ts'
import { lendSqlite } from '../../engines/store/lend-store.ts'
import { FAST_DOOR } from '../../fast-door.ts'
import { SILENT_METRICS } from '../../silent-metrics.ts'
import { NO_PROVIDERS } from '../../system/faults/harness/no-providers.ts'
import { memoryApp } from '../http-edge/memory-app.ts'
import { openSandboxVendors, type SandboxVendors, SPEED } from './sandbox-vendors.ts'
import { openTenants, type Tenant, type Tenants } from './tenants.ts'

/** The real edge and use cases on a SQLite store of their own, with the sandbox's vendors behind real HTTP. */
export interface VideoApi extends Tenants {
  url: string
  /** Folder of the store. */
  dataDir: string
  store: Store
  vendors: SandboxVendors
  /** A tenant with plenty of credit. */
  tenant: Tenant
  time: { nowMs: number }
  /** Lets so much of the vendors' own time pass. */
  passSeconds(vendorSeconds: number): void
  /** Makes the next request read the catalog again. */
  forgetPrices(): void
  /** Removes a provider from the configuration. */
  withdraw(provider: string): void
  checkpoints: CheckpointName[]
  lines: { level: string; event: string; fields: LogFields }[]
  /** Number of announced callback rows. */
  callbacksDue: { count: number }
  /** Polls the due tasks of a provider, and waits for the end of the last poll. */
  sweep(provider: string): Promise<void>
  close(): Promise<void>
}

interface Options {
  /** Left out: there is no admin API. */
  adminKey?: string
  noticeBaseUrl?: string
  callbacksBySweep?: boolean
  /** Providers that are not configured. */
  without?: readonly string[]
  expiresAfterSeconds?: number
  expiresMinSeconds?: number
  assets?: AssetResolver
  /** No asset service is configured. */
  withoutAssets?: true
  /** Limit for all calls that wait for the asset service. */
  assetPatienceMs?: number
  /** Replaces the driver of the asset service. Left out: the sandbox's own driver. */
  assetDriver?(driver: AssetDriver): AssetDriver
  /** Stands between the use cases and a vendor's driver. */
  vendorAround?(vendor: Vendor): Vendor
  syncPatienceMs?: number
  submittingResolveSeconds?: number
  /** Left out: none are kept. */
  metrics?: Metrics
  /** Stands between the use cases and the store. */
  around?(store: Store): Store
}

export const START_MS = Date.UTC(2030, 0, 2, 12)

export async function startVideoApi(options: Options = {}): Promise<VideoApi> {
  const { noticeBaseUrl, around = (same) => same, vendorAround = (same) => same } = options
  const time = { nowMs: START_MS }
  const clock = { nowMs: () => time.nowMs, monotonicMs: systemClock.monotonicMs }
  const lines: VideoApi['lines'] = []
  const write =
    (level: string) =>
    (event: string, fields: LogFields = {}) =>
      void lines.push({ level, event, fields })
  const checkpoints: CheckpointName[] = []
  const tools = {
    clock,
    book: createTimeBook({ clock }),
    pause: systemPause,
    // The tests move the clock ahead to let time pass, which must not count as a jump.
    deadlineClock: { ...clock, look() {} },
    newId: createIds(clock),
    log: {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      logRequest() {},
      flush: async () => {},
    },
    metrics: options.metrics ?? SILENT_METRICS,
    secrets: createSecrets('a secret of the tests, long enough'),
    calendar: createCalendar('UTC'),
    checkpoint: (name: CheckpointName) => void checkpoints.push(name),
  }
  const { store: stored, where, giveBack } = await lendSqlite()
  const dataDir = dirname(where)
  await stored.models.fillWhenEmpty(builtInModels(clock.nowMs()))
  const store = around(stored)
  const cache = createMemoryCache({ clock, log: tools.log, maxBytes: 1_000_000 })
  const config = readConfig({
    environment: { DATA_DIR: dataDir, SLUICE_CONFIG: NO_PROVIDERS },
    readFile: () => 'providers: {}',
  })
  const engines = {
    rateMeter: createMemoryRateMeter({ clock: systemClock }),
    dayBuckets: createMemoryDayBuckets({ clock }),
    close: async () => {},
  }
  const limits = composeLimits({ config, tools, store, cache, engines })
  const without = [...(options.without ?? [])]
  const vendors = await openSandboxVendors({
    nowMs: clock.nowMs,
    without,
    expiresAfterSeconds: options.expiresAfterSeconds,
    expiresMinSeconds: options.expiresMinSeconds,
  })
  const { driver } = vendors.assetVendor
  const address = { url: '' }
  const assetParts = composeAssets({
    vendor: options.withoutAssets
      ? undefined
      : { ...vendors.assetVendor, driver: options.assetDriver?.(driver) ?? driver },
    tools,
    store,
    publicBaseUrl: () => address.url,
    // The tests sweep for themselves.
    sweepIntervalMs: 3_600_000,
    ...(options.assetPatienceMs === undefined ? {} : { patienceMs: options.assetPatienceMs }),
  })
  const pause = (ms: number) => sleep(ms, undefined, { ref: false })
  const retries = createWriteRetries({ ...tools, pause })
  const callbacksDue = { count: 0 }
  const prices = openPriceBook({ models: store.models, clock, offers: () => true })
  const find = (name: string) => {
    const vendor = vendors.findVendor(name)
    return vendor && vendorAround(vendor)
  }
  const { useCases, cancelTaskFor, moving } = videoUseCases({
    ...{ tools, store, limits, prices, retries },
    vendors: { find },
    assets: options.assets ?? assetParts.resolver,
    onCallbackDue: () => void callbacksDue.count++,
    settings: {
      noticeBaseUrl,
      callbacksBySweep: options.callbacksBySweep ?? false,
      submittingResolveSeconds: options.submittingResolveSeconds ?? 600,
      firstPollAfterMs: 5_000,
    },
    ...(options.syncPatienceMs === undefined ? {} : { patienceMs: options.syncPatienceMs }),
  })
  const billing = await composeBilling({ rowsKeptDays: 0, tools, store, cache, limits })
  const noText = () => Promise.reject(new Error('this server has no text models'))
  const app = await composeApp({
    installation: memoryApp().installation,
    openMedia: () => Promise.reject(new Error('no media is asked for')),
    ...{ config, tools, store, cache, limits, billing, prices, assets: assetParts, warnings: () => [] },
    providers: {
      current: {
        serving: sandboxProviders('http://127.0.0.1:9'),
        resting: [],
        byName: new Map(),
        disabled: new Set(),
        runsSandbox: true,
      },
    },
    publicBaseUrl: () => 'http://127.0.0.1',
    // No background work runs: the tests call it when they need it.
    video: {
      useCases: { ...useCases, takeNotice: undefined },
      cancelTaskFor,
      sweepNew() {},
      close: async () => {},
    },
    text: {
      useCases: {
        ...{
          answerText: noText,
          countTokens: noText,
          createEmbeddings: noText,
          readHeavyBody: noText,
          readHeavyEmbeddings: noText,
        },
        ...{ getResponse: noText, readResponse: noText, cancelResponse: noText, deleteResponse: noText },
      },
      idle: async () => {},
      endDisabledReplies: async () => {},
      endReplies() {},
      close: async () => {},
    },
  })
  const server = createServer({
    ...tools,
    app,
    logRequest() {},
    ...(options.adminKey !== undefined && {
      admin: createAdminAccess({
        ...{ adminApiKey: options.adminKey, forwarded: readForwarded([]), clock: tools.clock },
      }),
    }),
    drain: createDrainState(),
    limits: {
      inFlightMax: 4_096,
      lagMsMax: 60_000,
      textBodyBytesMax: undefined,
      bodyRateMin: 0,
      bodyBytesMax: 1e9,
      bodyBytesEachMax: 1e9,
    },
    answerMcp,
    fastDoor: FAST_DOOR,
    timeouts: { headersMs: 15_000, requestMs: 300_000, keepAliveMs: 72_000 },
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  address.url = `http://127.0.0.1:${port}`
  const tenants = openTenants({ ...tools, store: stored, cache })
  return {
    ...tenants,
    url: address.url,
    dataDir,
    store: stored,
    vendors,
    tenant: await tenants.openTenant(),
    time,
    passSeconds: (vendorSeconds) => {
      time.nowMs += (vendorSeconds * 1_000) / SPEED
    },
    forgetPrices: prices.forget,
    withdraw: (provider) => void without.push(provider),
    checkpoints,
    lines,
    callbacksDue,
    async sweep(provider) {
      const submittingResolveMs = 600_000
      const working = { ...moving, sweepIntervalMs: 5_000, submittingResolveMs }
      const sweep = sweepTasks({
        ...{ ...moving, provider, ping: store.ping, pause, pauseMsMax: submittingResolveMs },
        poll: pollTask(find(provider)?.driver, {
          ...working,
          withdrawRevoked: withdrawRevoked({ ...moving, prices }),
        }),
      })
      await sweep.pass()
      await sweep.idle()
      await sweep.stop()
    },
    async close() {
      await retries.close()
      await assetParts.close()
      server.cutConnections()
      await server.close()
      await billing.close()
      limits.days.close()
      await vendors.close()
      await cache.close()
      await giveBack()
    },
  }
}
