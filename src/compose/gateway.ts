import { driverOf } from '../adapters/providers/drivers.ts'
import { openConsoleFiles } from '../adapters/system/console-files.ts'
import type { FlushableLog } from '../adapters/telemetry/log.ts'
import { watchProviderHealth } from '../adapters/telemetry/provider-health.ts'
import { confirmSecret, watchSecret } from '../app/access/confirm-secret.ts'
import { type Demo, makeDemo } from '../app/access/make-demo.ts'
import { dropOldRows } from '../app/drop-old-rows.ts'
import { dropExpiredKeys } from '../app/idempotency/drop-expired-keys.ts'
import { closeInTime } from '../app/jobs/deadline.ts'
import type { GatewayOperator } from '../app/operator.ts'
import { recordBodies } from '../app/requests/record-bodies.ts'
import { createRefusalLog } from '../app/requests/refusal-log.ts'
import { createBodyTurns } from '../app/waiting/body-turns.ts'
import { decideSandbox } from '../config/decide-sandbox.ts'
import { builtInModels } from '../domain/catalog/built-in.ts'
import { createAdminAccess } from '../http/admin/admin-key-check.ts'
import type { AnswerMcp } from '../http/operation.ts'
import { corsFor } from '../http/server/cors.ts'
import { createDrainState, type DrainState } from '../http/server/draining.ts'
import { type Forwarded, readForwarded } from '../http/server/forwarded.ts'
import { addressOf, type HttpServer } from '../http/server/listen.ts'
import { createServer } from '../http/server/server.ts'
import type { Checkpoint } from '../ports/checkpoint.ts'
import type { LogRequest } from '../ports/log.ts'
import { startWorker } from '../workers/schedule.ts'
import { composeApp } from './app.ts'
import { composeAssetVendor } from './asset-vendor.ts'
import { composeAssets, replaceableAssets } from './assets.ts'
import { composeBilling } from './billing.ts'
import type { Config } from './config.ts'
import { openCache, openStore as openConfiguredStore, openLimits, openLive, storedValues } from './engines.ts'
import { composeEvents } from './events.ts'
import { composeInstallation } from './installation.ts'
import { composeLimits } from './limits.ts'
import { composeKept } from './media.ts'
import { closerInto, composeSender, openMediaLater } from './outside.ts'
import { composePrices } from './prices.ts'
import { openLiveProviders } from './providers/live-providers.ts'
import { type ProviderSet, providerSets } from './providers/provider-set.ts'
import { warnOfModels } from './served-models.ts'
import { openOtlpMetrics, openTracing } from './telemetry.ts'
import { openTextLater } from './text-later.ts'
import { openTools, type Tools } from './tools.ts'
import { composeVendors } from './vendors.ts'
import { composeVideo } from './video.ts'

const SANDBOX_WARNING =
  'sandbox vendors answer: no provider is configured, replies are made up, and their cost is charged'

/** A composed gateway that does not listen yet. */
export interface Gateway {
  server: HttpServer
  drain: DrainState
  /** Resolves when no background reply runs. */
  idle(): Promise<void>
  log: FlushableLog
  clock: Tools['clock']
  /** Whether the sandbox served at the start, because no provider was configured. */
  runsSandbox: boolean
  /** Creates a demo organization if the store has no organization; else returns undefined. */
  makeDemo(): Promise<Demo | undefined>
  /** Returns the path of a link that signs in to the console once; undefined without an admin key. */
  makeSignInPath(): Promise<string | undefined>
  /** Closes all parts in reverse order and logs failures. A slow store has `spareMs` longer for usage. */
  close(spareMs?: number): Promise<void>
}

export async function composeGateway(input: {
  config: Config
  /** Left out: the clock of this machine. */
  clock?: Tools['clock']
  /** Left out: this gateway makes no demo. */
  demo?: GatewayOperator['demo']
  checkpoint: Checkpoint
  /** Whether this process is one of several workers. Metrics then cover all of them. */
  inCluster: boolean
  /** Left out: the sandbox runs in another process, on its configured port. */
  sandboxUrl?: string | undefined
  /** Left out: opens the configured store. */
  openStore?: typeof openConfiguredStore
}): Promise<Gateway> {
  const { config, checkpoint, inCluster, openStore = openConfiguredStore, clock, demo } = input
  const ownSandboxUrl = () => `http://127.0.0.1:${config.sandbox.port}`
  const { sandboxUrl = decideSandbox(config).kind === 'run' ? ownSandboxUrl() : undefined } = input
  const bareTools = openTools(config, { checkpoint, inCluster, makesSecret: true, clock })
  await using opened = new AsyncDisposableStack()
  const closeLater = closerInto(opened, bareTools.log)
  closeLater('the log', () => bareTools.log.flush())
  const tracing = await openTracing(config, bareTools)
  closeLater('tracing', async () => tracing?.stop())
  const otlp = await openOtlpMetrics(config, bareTools)
  closeLater('the metrics', async () => otlp?.stop())
  const shared = otlp?.share(bareTools.metrics) ?? bareTools.metrics
  const health = watchProviderHealth(shared, bareTools.clock)
  const needsHealth = config.secrets.adminApiKey !== undefined || config.events.url !== undefined
  const tools = { ...bareTools, metrics: needsHealth ? health.metrics : shared }
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
  const runBeside = (name: Parameters<typeof startWorker>[0], run: () => Promise<void>) => {
    const worker = startWorker(name, { run, log })
    closeLater(name, () => closeInTime([worker.stop()]))
  }
  runBeside('idempotency-key-cleaner', dropExpiredKeys({ ...store, clock: deadlineClock }))
  runBeside('row-cleaner', dropOldRows({ ...store, clock: deadlineClock, keptDays: config.keptDays }))
  const countWork = async () =>
    tools.metrics.storeCounted(await store.deployment.countOpenWork({ nowMs: tools.clock.nowMs() }))
  runBeside('open-work-counter', countWork)
  await countWork()
  const limits = composeLimits({ config, tools, store, cache, engines })
  closeLater('the days', async () => limits.days.close())
  const billing = await composeBilling({ tools, store, cache, limits, ...config.usage })
  let closeSpareMs = 0
  closeLater('billing', () => billing.close(closeSpareMs))
  const refusals = createRefusalLog({ ...tools, requestLog: store.requestLog })
  const values = storedValues({ ...store, ...tools })
  const turns = createBodyTurns(tools.clock, tools.book)
  const bodyLog = recordBodies({ ...tools, ...store, values, turns, keptMs: config.bodiesKeptMs })
  const refusalWriter = startWorker('refusal-writer', { run: refusals.flush, log })
  closeLater('the refused requests', async () => {
    await refusalWriter.stop()
    await closeInTime([refusals.close()])
    await closeInTime([bodyLog.close()])
  })
  const makeSet = providerSets({ config, tools, sandboxUrl })
  const providers = await openLiveProviders({ store, cache, tools, makeSet })
  closeLater('the providers', () => providers.close())
  const { serving, runsSandbox } = providers.current
  if (runsSandbox) tools.log.warn('sandbox.serving')
  const prices = await composePrices({ store, tools, providers })
  const catalog = await store.models.list()
  warnOfModels({ providers: serving, catalog, runsSandbox, ...tools })
  const vendors = await composeVendors({ config, catalog, tools })
  closeLater('the vendors', () => vendors.close())
  await vendors.replace(providers.current)
  const keeper = composeAssetVendor({ config, tools })
  closeLater('the asset vendor', () => keeper.close())
  await keeper.replace(serving)
  if (keeper.vendor !== undefined) warnOfPrivateAddress(config, providers.current, tools)
  const publicBaseUrl = () => config.http.publicBaseUrl ?? addressOf(server)
  const { sweepIntervalMs } = config.video
  const openMedia = openMediaLater({
    config,
    tools,
    origins() {
      const { serving, resting } = providers.current
      return [...serving, ...resting, ...keeper.origins]
    },
  })
  const kept = await composeKept({ config, tools, store, publicBaseUrl, openMedia })
  const assets = replaceableAssets(
    (vendor) => composeAssets({ tools, store, vendor, publicBaseUrl, sweepIntervalMs, kept }),
    keeper.vendor,
  )
  closeLater('assets', () => assets.close())
  const send = await composeSender(config, tools)
  const parts = { config, tools, store, limits, prices, kept }
  const video = composeVideo({ ...parts, send, vendors, assets })
  closeLater('video', () => video.close())
  await providers.openWith(async (set) => {
    await vendors.replace(set)
    video.sweepNew()
    await keeper.replace(set.serving)
    await assets.useVendor(keeper.vendor)
  })
  const text = openTextLater(async () => {
    const { composeText, openTextVendors } = await import('./text.ts')
    const vendors = openTextVendors({ config, tools, turns })
    await providers.openWith((set) => vendors.replace(set.serving))
    return composeText({ config, vendors, tools, store, cache, prices, billing, turns })
  })
  closeLater('text', () => text.close())
  // Configured text models are loaded at the start; those of the sandbox may never be used.
  if (!runsSandbox && serving.some((provider) => driverOf(provider).text !== undefined)) await text.open()
  const drain = createDrainState()
  drain.ending.addEventListener('abort', text.endReplies)
  const installation = composeInstallation({ config, live: providers, healthOf: health.read, ...store })
  const events = composeEvents({ config, tools, store, limits, send, installation })
  closeLater('events', () => events.close())
  const live = await openLive(config, tools, cache)
  closeLater('live requests', () => live.close())
  const { logRequest } = tools.log
  const app = await composeApp({
    ...parts,
    live,
    cache,
    billing,
    video,
    assets,
    text,
    openMedia,
    installation,
    providers,
    publicBaseUrl,
    demo,
    warnings: () => (providers.current.runsSandbox ? [SANDBOX_WARNING] : []),
  })
  const forwarded = readForwarded(config.http.trustedProxies)
  const server: HttpServer = createServer({
    app,
    drain,
    turns,
    ...tools,
    logRequest: reportingTo([
      logRequest,
      events.inspectRequest,
      ...(config.secrets.adminApiKey === undefined ? [] : [live.report]),
    ]),
    noteRefusal: refusals.note,
    bodyLog,
    forwarded,
    admin: adminKeyCheckOf(config, tools, forwarded),
    consoleFiles: openConsoleFiles(),
    answerMcp: config.http.offersMcp ? answerMcpLater : undefined,
    cors: corsFor(config.http.corsOrigins),
    requiresVersion: config.http.requiresVersion,
    limits: config.http.limits,
    timeouts: config.http.timeouts,
    fastDoor: config.http.fastDoor,
    ...(tracing === undefined ? {} : await import('../http/server/trace-requests.ts')),
  })
  closeLater('the server', async () => server.close())

  const toClose = opened.move()
  return {
    server,
    drain,
    idle: text.idle,
    ...{ log: tools.log, clock: tools.clock },
    runsSandbox,
    makeDemo: makeDemo({ organizations: store.organizations, ...tools, actor: 'gateway' }),
    async makeSignInPath() {
      const link = await app.sessions?.makeLink()
      return link === undefined ? undefined : `/console/sign-in?token=${link}`
    },
    close(spareMs = 0) {
      closeSpareMs = spareMs
      return toClose.disposeAsync()
    },
  }
}

function reportingTo(listeners: readonly LogRequest[]): LogRequest {
  return (finished) => {
    for (const listen of listeners) listen(finished)
  }
}

/** Warns that a phone cannot return from a real vendor's page without PUBLIC_BASE_URL. The sandbox is local. */
function warnOfPrivateAddress({ http }: Config, { runsSandbox }: ProviderSet, { log }: Tools): void {
  if (http.publicBaseUrl !== undefined || runsSandbox) return
  log.warn('config.no_public_url')
}

function adminKeyCheckOf({ secrets, http }: Config, { clock }: Tools, forwarded: Forwarded) {
  if (secrets.adminApiKey === undefined) return undefined
  const adminApiKey = secrets.adminApiKey.reveal()
  return createAdminAccess({ adminApiKey, publicBaseUrl: http.publicBaseUrl, forwarded, clock })
}

const answerMcpLater: AnswerMcp = async (...asked) =>
  (await import('../http/mcp/answer-mcp.ts')).answerMcp(...asked)
