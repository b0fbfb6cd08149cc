import { driverOf } from '../adapters/providers/drivers.ts'
import { openConsoleFiles } from '../adapters/system/console-files.ts'
import type { FlushableLog } from '../adapters/telemetry/log.ts'
import type { OtlpMetrics } from '../adapters/telemetry/otlp-metrics.ts'
import { watchProviderHealth } from '../adapters/telemetry/provider-health.ts'
import type { Tracing } from '../adapters/telemetry/tracing.ts'
import { confirmSecret, watchSecret } from '../app/access/confirm-secret.ts'
import { type Demo, makeDemo } from '../app/access/make-demo.ts'
import { openPriceBook } from '../app/catalog/price-book.ts'
import { dropOldRows } from '../app/drop-old-rows.ts'
import { dropExpiredKeys } from '../app/idempotency/drop-expired-keys.ts'
import { withDeadline } from '../app/jobs/deadline.ts'
import { createRefusalLog } from '../app/requests/refusal-log.ts'
import { createBodyTurns } from '../app/waiting/body-turns.ts'
import { builtInModels } from '../domain/catalog/built-in.ts'
import { createAdminAccess } from '../http/admin/admin-key-check.ts'
import { createLoadGauge } from '../http/limits/load-gauge.ts'
import { corsFor } from '../http/server/cors.ts'
import { createDrainState, type DrainState } from '../http/server/draining.ts'
import { type Forwarded, readForwarded } from '../http/server/forwarded.ts'
import type { HttpServer } from '../http/server/listen.ts'
import { createServer } from '../http/server/server.ts'
import { urlOf } from '../http/server/url-of.ts'
import type { Checkpoint } from '../ports/checkpoint.ts'
import type { LogRequest } from '../ports/log.ts'
import { startWorker } from '../workers/schedule.ts'
import { composeApp } from './app.ts'
import { composeAssetVendor } from './asset-vendor.ts'
import { composeAssets } from './assets.ts'
import { composeBilling } from './billing.ts'
import type { Config } from './config.ts'
import { openCache, openStore as openConfiguredStore, openLimits, openLive } from './engines.ts'
import { composeEvents } from './events.ts'
import { composeInstallation } from './installation.ts'
import { composeLimits } from './limits.ts'
import { closerInto, composeSender, openMediaLater } from './outside.ts'
import { ownersOfModels, servedModels, warnOfModels } from './served-models.ts'
import { openTextLater } from './text-later.ts'
import { openTools, type Tools } from './tools.ts'
import { composeVendors, sandboxProviders } from './vendors.ts'
import { composeVideo } from './video.ts'

const SANDBOX_WARNING =
  'sandbox vendors answer: no provider is configured, replies are made up, and their cost is charged'

/** Bounds the wait for a store that hangs, so that others have time for closing. */
const CLEANER_CLOSING_MS_MAX = 1_000

/** A composed process that serves, and does not listen yet. */
export interface Gateway {
  server: HttpServer
  drain: DrainState
  /** Resolves when no reply runs without its client. */
  idle(): Promise<void>
  log: FlushableLog
  /** Makes the demo tenant in a store that has none; undefined when there is one. */
  makeDemo(): Promise<Demo | undefined>
  /** Makes the path of a link that signs in to the console once; undefined without an admin key. */
  makeSignInPath(): Promise<string | undefined>
  /** Closes all parts, the last opened first; failures are logged. */
  close(): Promise<void>
}

export async function composeGateway({
  config,
  checkpoint,
  inCluster,
  sandboxUrl = `http://127.0.0.1:${config.sandbox.port}`,
  openStore = openConfiguredStore,
}: {
  config: Config
  checkpoint: Checkpoint
  /** Whether this is one of several workers: metrics then cover all of them. */
  inCluster: boolean
  /** Left out: the sandbox runs in another process, on its configured port. */
  sandboxUrl?: string | undefined
  /** Left out: the configured one. */
  openStore?: typeof openConfiguredStore
}): Promise<Gateway> {
  const bareTools = openTools(config, { checkpoint, inCluster, makesSecret: true })
  await using opened = new AsyncDisposableStack()
  const closeLater = closerInto(opened, bareTools.log)
  closeLater('the log', () => bareTools.log.flush())
  const tracing = await openTracing(config, bareTools)
  closeLater('tracing', async () => tracing?.stop())
  const otlp = await openOtlpMetrics(config, bareTools)
  closeLater('the metrics', async () => otlp?.stop())
  const shared = otlp?.share(bareTools.metrics) ?? bareTools.metrics
  const health = watchProviderHealth(shared, bareTools.clock)
  const isAsked = config.secrets.adminApiKey !== undefined || config.events.url !== undefined
  const tools = { ...bareTools, metrics: isAsked ? health.metrics : shared }
  const { log, deadlineClock } = tools
  const clockWatch = startWorker('clock-watch', { run: () => deadlineClock.look(), log })
  closeLater('the clock watch', () => clockWatch.stop())
  const store = await openStore(config, tools, 'server')
  closeLater('the store', () => store.close())
  const cache = await openCache(config, tools)
  closeLater('the cache', () => cache.close())
  const engines = await openLimits(config, tools)
  closeLater('the limits', () => engines.close())
  await confirmSecret({ ...store, ...tools })()
  const lookAtSecret = watchSecret({ ...store, ...tools })
  const secretWatch = tools.secrets.hasPrevious
    ? startWorker('secret-watch', { run: lookAtSecret, log })
    : undefined
  closeLater('the secret watch', async () => secretWatch?.stop())
  await store.models.fillWhenEmpty(builtInModels(tools.clock.nowMs()))
  const dropKeys = dropExpiredKeys({ ...store, clock: deadlineClock })
  const keyCleaner = startWorker('idempotency-key-cleaner', { run: dropKeys, log })
  closeLater('the key cleaner', () => withDeadline(keyCleaner.stop(), { ms: CLEANER_CLOSING_MS_MAX }))
  const { keptDays } = config
  const dropRows = dropOldRows({ ...store, clock: deadlineClock, keptDays })
  const rowCleaner = startWorker('row-cleaner', { run: dropRows, log })
  closeLater('the row cleaner', () => withDeadline(rowCleaner.stop(), { ms: CLEANER_CLOSING_MS_MAX }))
  const countWork = async () =>
    tools.metrics.storeCounted(await store.deployment.countOpenWork({ nowMs: tools.clock.nowMs() }))
  const workCounter = startWorker('open-work-counter', { run: countWork, log })
  closeLater('the counter of open work', () =>
    withDeadline(workCounter.stop(), { ms: CLEANER_CLOSING_MS_MAX }),
  )
  await countWork()
  const limits = composeLimits({ config, tools, store, cache, engines })
  closeLater('the days', async () => limits.days.close())
  const billing = await composeBilling({ tools, store, cache, limits, ...config.usage })
  closeLater('billing', () => billing.close())
  const refusals = createRefusalLog({ ...tools, requestLog: store.requestLog })
  const refusalWriter = startWorker('refusal-writer', { run: refusals.flush, log })
  closeLater('the refused requests', async () => {
    await refusalWriter.stop()
    await withDeadline(refusals.close(), { ms: CLEANER_CLOSING_MS_MAX })
  })
  const runsSandbox = config.providers.length === 0
  const providers = runsSandbox ? sandboxProviders(sandboxUrl) : config.providers
  if (runsSandbox) tools.log.warn('sandbox.serving')
  const prices = openPriceBook({
    models: store.models,
    clock: tools.clock,
    offers: servedModels(providers),
    ownerOf: ownersOfModels(providers),
  })
  const catalog = await store.models.list()
  warnOfModels({ providers, catalog, runsSandbox, ...tools })
  const vendors = await composeVendors({ config, providers, catalog, tools })
  closeLater('the vendors', () => vendors.close())
  const keeper = await composeAssetVendor({ config, providers, tools })
  closeLater('the asset vendor', () => keeper.close())
  if (keeper.vendor !== undefined) warnOfPrivateAddress(config, tools)
  const publicBaseUrl = () => config.http.publicBaseUrl ?? addressOf(server)
  const assets = composeAssets({
    tools,
    store,
    vendor: keeper.vendor,
    publicBaseUrl,
    sweepIntervalMs: config.video.sweepIntervalMs,
  })
  closeLater('assets', () => assets.close())
  const send = await composeSender(config, tools)
  const video = composeVideo({
    config,
    send,
    tools,
    store,
    limits,
    prices,
    vendors,
    assets: assets.resolver,
  })
  closeLater('video', () => video.close())
  const turns = createBodyTurns(tools.clock)
  const load = createLoadGauge(
    { inFlightMax: config.http.inFlightMax, lagMsMax: config.http.shedLagMs },
    turns.waitMsOf,
  )
  const text = openTextLater(async () => {
    const { composeText } = await import('./text.ts')
    return composeText({ config, providers, tools, store, cache, prices, billing, turns, load })
  })
  closeLater('text', () => text.close())
  // An operator who configured text models wants them loaded; those of the sandbox may never be used.
  if (config.providers.some((provider) => driverOf(provider).text !== undefined)) await text.open()
  const drain = createDrainState()
  drain.ending.addEventListener('abort', text.endReplies)
  const installation = composeInstallation({ config, providers, healthOf: health.read })
  const events = composeEvents({ config, tools, store, limits, send, installation })
  closeLater('events', () => events.close())
  const live = await openLive(config, tools, cache)
  closeLater('live requests', () => live.close())
  const { logRequest } = tools.log
  const app = await composeApp({
    live,
    config,
    tools,
    store,
    cache,
    limits,
    billing,
    prices,
    video,
    assets,
    text,
    openMedia: openMediaLater({
      config,
      tools,
      origins: [...providers.map(({ baseUrl }) => baseUrl), keeper.endpoint],
    }),
    installation,
    publicBaseUrl,
    warnings: runsSandbox ? [SANDBOX_WARNING] : [],
  })
  const forwarded = readForwarded(config.http.trustedProxies)
  const server: HttpServer = createServer({
    app,
    drain,
    load,
    turns,
    ...tools,
    logRequest: reportingTo([
      logRequest,
      events.inspectRequest,
      ...(config.secrets.adminApiKey === undefined ? [] : [live.report]),
    ]),
    noteRefusal: refusals.note,
    forwarded,
    admin: adminKeyCheckOf(config, tools, forwarded),
    consoleFiles: openConsoleFiles(),
    cors: corsFor(config.http.corsOrigins),
    requiresVersion: config.http.requiresVersion,
    limits: {
      inFlightMax: config.http.inFlightMax,
      lagMsMax: config.http.shedLagMs,
      bodyBytesMax: config.http.bodyBytesMax,
      bodyBytesEachMax: config.http.bodyBytesEachMax,
      bodyRateMin: config.http.bodyRateMin,
      textBodyBytesMax: config.http.textBodyLimitBytes,
    },
    fastDoor: config.http.fastDoor,
    timeouts: {
      headersMs: config.http.headersTimeoutMs,
      requestMs: config.http.requestTimeoutMs,
      keepAliveMs: config.http.keepAliveTimeoutMs,
    },
    ...(tracing === undefined ? {} : await import('../http/server/trace-requests.ts')),
  })
  closeLater('the server', async () => server.close())

  const toClose = opened.move()
  return {
    server,
    drain,
    idle: text.idle,
    log: tools.log,
    makeDemo: makeDemo({ organizations: store.organizations, ...tools, actor: 'gateway' }),
    async makeSignInPath() {
      const link = await app.sessions?.makeLink()
      return link === undefined ? undefined : `/console/sign-in?token=${link}`
    },
    close: () => toClose.disposeAsync(),
  }
}

function reportingTo(listeners: readonly LogRequest[]): LogRequest {
  return (finished) => {
    for (const listen of listeners) listen(finished)
  }
}

/** The sandbox is on this machine; a phone that comes from a real vendor's page needs PUBLIC_BASE_URL to reach us. */
function warnOfPrivateAddress({ http, providers }: Config, { log }: Tools): void {
  if (http.publicBaseUrl !== undefined || providers.length === 0) return
  log.warn('config.no_public_url')
}

/** Returns the listening address, for clients when no public address is set. */
function addressOf({ server }: HttpServer): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen yet')
  return urlOf({ host: address.address, port: address.port })
}

function adminKeyCheckOf({ secrets, http }: Config, { clock }: Tools, forwarded: Forwarded) {
  if (secrets.adminApiKey === undefined) return undefined
  const adminApiKey = secrets.adminApiKey.reveal()
  return createAdminAccess({ adminApiKey, publicBaseUrl: http.publicBaseUrl, forwarded, clock })
}

/** Its failures reach the log by the handler that tracing has set: the collector is the same. */
async function openOtlpMetrics({ telemetry }: Config, { log }: Tools): Promise<OtlpMetrics | undefined> {
  const { otlpEndpoint: endpoint, serviceName, metricsExporter } = telemetry
  if (endpoint === undefined || metricsExporter === 'none') return undefined
  const { startOtlpMetrics } = await import('../adapters/telemetry/otlp-metrics.ts')
  return startOtlpMetrics({ endpoint, serviceName, log })
}

async function openTracing({ telemetry }: Config, { log }: Tools): Promise<Tracing | undefined> {
  if (telemetry.otlpEndpoint === undefined) return undefined
  const { startTracing } = await import('../adapters/telemetry/tracing.ts')
  return startTracing({ endpoint: telemetry.otlpEndpoint, serviceName: telemetry.serviceName, log })
}
