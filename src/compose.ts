import { createMemoryCache } from './adapters/memory/memory-cache.ts'
import type { GuardedClient, GuardedClientOptions } from './adapters/outbound/guarded-client.ts'
import type { Upstream, UpstreamOptions } from './adapters/outbound/upstream.ts'
import { systemClock } from './adapters/system/clock.ts'
import { createIds } from './adapters/system/ids.ts'
import { loadOrMakeSecret } from './adapters/system/secret-file.ts'
import { createSecrets } from './adapters/system/secrets.ts'
import { answerMetricsRequests, shareMetrics } from './adapters/telemetry/cluster-metrics.ts'
import { createLog, type FlushableLog } from './adapters/telemetry/log.ts'
import { createMetrics } from './adapters/telemetry/prometheus.ts'
import type { Tracing } from './adapters/telemetry/tracing.ts'
import { authenticate, forgetRevokedKeys } from './app/access/authenticate.ts'
import { checkSecret } from './app/access/check-secret.ts'
import { createKey } from './app/access/create-key.ts'
import { createOrganization } from './app/access/create-organization.ts'
import { createUser } from './app/access/create-user.ts'
import { lookUpTenants } from './app/access/look-up-tenants.ts'
import { type Demo, makeDemo } from './app/access/make-demo.ts'
import { revokeKey } from './app/access/revoke-key.ts'
import { rotateWebhookSecret, showWebhookSecret } from './app/access/webhook-secret.ts'
import type { App } from './app/app.ts'
import { listModels } from './app/catalog/list-models.ts'
import { checkReadiness } from './app/check-readiness.ts'
import type { Operator } from './app/operator.ts'
import { listTasks } from './app/video/list-tasks.ts'
import type { Config } from './config/config.ts'
import { builtInModels } from './domain/catalog/built-in.ts'
import { createDrainState, type DrainState } from './http/draining.ts'
import { createServer, type HttpServer } from './http/server.ts'
import type { Cache } from './ports/cache.ts'
import { type Checkpoint, passCheckpoint } from './ports/checkpoint.ts'
import type { Clock } from './ports/clock.ts'
import type { NewId } from './ports/ids.ts'
import type { Log } from './ports/log.ts'
import type { Metrics } from './ports/metrics.ts'
import type { Secrets } from './ports/secrets.ts'
import type { Store } from './ports/store.ts'
import type { Sandbox } from './sandbox/server.ts'

const MEMORY_CACHE_BYTES_MAX = 64 * 1024 * 1024

/** One process that serves, put together and not yet listening. */
export interface Gateway {
  server: HttpServer
  drain: DrainState
  log: FlushableLog
  /** Makes the demo tenant in a store that has none; undefined when there is one. */
  makeDemo(): Promise<Demo | undefined>
  /** Tries everything that is open, the last opened first; what fails is logged. */
  close(): Promise<void>
}

export async function composeGateway({
  config,
  checkpoint,
  inCluster,
}: {
  config: Config
  checkpoint: Checkpoint
  /** One of several workers: metrics then speak for all of them. */
  inCluster: boolean
}): Promise<Gateway> {
  const tools = openTools(config, { checkpoint, inCluster })
  await using opened = new AsyncDisposableStack()
  const closeLater = closerInto(opened, tools.log)
  closeLater('the log', () => tools.log.flush())
  const tracing = await openTracing(config, tools)
  closeLater('tracing', async () => tracing?.stop())
  const store = await openStore(config, tools, 'server')
  closeLater('the store', () => store.close())
  const cache = await openCache(config, tools)
  closeLater('the cache', () => cache.close())
  await checkSecret({ organizations: store.organizations, secrets: tools.secrets })()
  await store.models.fillWhenEmpty(builtInModels(tools.clock.nowMs()))
  const drain = createDrainState()
  const app = await composeApp({ config, tools, store, cache })
  const server = createServer({
    app,
    drain,
    ...tools,
    logRequest: tools.log.logRequest,
    limits: {
      inFlightMax: config.http.inFlightMax,
      lagMsMax: config.http.shedLagMs,
      textBodyBytesMax: config.http.textBodyLimitBytes,
    },
    timeouts: {
      headersMs: config.http.headersTimeoutMs,
      requestMs: config.http.requestTimeoutMs,
      keepAliveMs: config.http.keepAliveTimeoutMs,
    },
    ...(tracing === undefined ? {} : await import('./http/trace-requests.ts')),
  })
  closeLater('the server', async () => server.close())

  const toClose = opened.move()
  return {
    server,
    drain,
    log: tools.log,
    makeDemo: makeDemo({ organizations: store.organizations, ...tools }),
    close: () => toClose.disposeAsync(),
  }
}

async function composeApp({
  config,
  tools,
  store,
  cache,
}: {
  config: Config
  tools: Tools
  store: Store
  cache: Cache
}): Promise<App> {
  const access = authenticate({ apiKeys: store.apiKeys, ...tools })
  await forgetRevokedKeys({ cache, forgetKey: access.forgetKey, log: tools.log })
  const configured = new Set(config.providers.map(({ name }) => name))
  const offers = (provider: string) => configured.size === 0 || configured.has(provider)
  return {
    authenticate: access.authenticate,
    checkReadiness: checkReadiness({ store, cache }),
    listModels: listModels({ models: store.models, clock: tools.clock, offers }),
    listTasks: listTasks({ tasks: store.tasks, secrets: tools.secrets }),
  }
}

/** The primary of several workers serves nothing itself: it looks after them and adds up their metrics. */
export function composePrimary(config: Config): { clock: Clock; log: FlushableLog } {
  answerMetricsRequests()
  return { clock: systemClock, log: createLog({ level: config.telemetry.logLevel }) }
}

/** The vendors' stand-in, where no provider is configured. */
export async function composeSandbox(config: Config): Promise<Sandbox | undefined> {
  if (config.providers.length > 0) return undefined
  const { startSandbox } = await import('./sandbox/server.ts')
  const log = createLog({ level: config.telemetry.logLevel })
  return startSandbox({ ...config.sandbox, nowMs: systemClock.nowMs, log })
}

/** The ways out. Loaded when one is wanted, so that a start does not pay for them. */
export async function composeOutside(
  config: Config,
  { clock, log, metrics }: Pick<Tools, 'clock' | 'log' | 'metrics'>,
): Promise<{
  openUpstream(options: Omit<UpstreamOptions, 'clock' | 'log' | 'metrics'>): Upstream
  openGuarded(options: Omit<GuardedClientOptions, 'allow' | 'metrics'>): GuardedClient
}> {
  const [{ createUpstream }, { createGuardedClient }] = await Promise.all([
    import('./adapters/outbound/upstream.ts'),
    import('./adapters/outbound/guarded-client.ts'),
  ])
  const allow = config.outbound.allowedRanges
  return {
    openUpstream: (options) => createUpstream({ ...options, clock, log, metrics }),
    openGuarded: (options) => createGuardedClient({ ...options, allow, metrics }),
  }
}

/** What the command line works with, beside a running server or without one. */
export async function composeOperator(
  config: Config,
  { checkpoint = passCheckpoint }: { checkpoint?: Checkpoint } = {},
): Promise<{ operator: Operator; store: Store; cache: Cache; tools: Tools; close(): Promise<void> }> {
  const tools = openTools(config, { checkpoint, inCluster: false })
  await using opened = new AsyncDisposableStack()
  const closeLater = closerInto(opened, tools.log)
  closeLater('the log', () => tools.log.flush())
  const store = await openStore(config, tools, 'beside')
  closeLater('the store', () => store.close())
  const cache = await openCache(config, tools)
  closeLater('the cache', () => cache.close())

  const parts = { ...tools, ...store, cache }
  const toClose = opened.move()
  return {
    store,
    cache,
    tools,
    operator: {
      ...lookUpTenants(parts),
      createOrganization: createOrganization(parts),
      showWebhookSecret: showWebhookSecret(parts),
      rotateWebhookSecret: rotateWebhookSecret(parts),
      createUser: createUser(parts),
      createKey: createKey(parts),
      revokeKey: revokeKey(parts),
    },
    close: () => toClose.disposeAsync(),
  }
}

/** The names of the migrations that ran now. */
export async function migrateStore({ engines }: Config): Promise<string[]> {
  if (engines.databaseUrl !== undefined) {
    const { migratePostgres } = await import('./adapters/postgres/migrate.ts')
    return migratePostgres({ url: engines.databaseUrl.reveal() })
  }
  const { migrateSqlite } = await import('./adapters/sqlite/migrate.ts')
  return migrateSqlite({ dataDir: engines.dataDir })
}

/** What does not close is a line in the log, and no reason to leave the rest open or to hide why a start failed. */
function closerInto(opened: AsyncDisposableStack, log: Log) {
  return (reason: string, close: () => Promise<unknown>): void =>
    opened.defer(async () => {
      try {
        await close()
      } catch (error) {
        log.error('could not be closed', { reason, error })
      }
    })
}

export interface Tools {
  clock: Clock
  newId: NewId
  log: FlushableLog
  metrics: Metrics
  secrets: Secrets
  checkpoint: Checkpoint
}

function openTools(
  config: Config,
  { checkpoint, inCluster }: { checkpoint: Checkpoint; inCluster: boolean },
): Tools {
  const metrics = createMetrics()
  const secret = config.secrets.deployment?.reveal() ?? loadOrMakeSecret(config.engines.dataDir)
  return {
    clock: systemClock,
    newId: createIds(systemClock),
    log: createLog({ level: config.telemetry.logLevel }),
    metrics: inCluster ? shareMetrics(metrics) : metrics,
    secrets: createSecrets(secret),
    checkpoint,
  }
}

/** Engines are loaded when they are used: an embedded start pays for neither driver. */
async function openStore(
  { engines }: Config,
  { log, metrics }: Tools,
  role: 'server' | 'beside',
): Promise<Store> {
  if (engines.databaseUrl !== undefined) {
    const { openPostgresStore } = await import('./adapters/postgres/open-store.ts')
    const url = engines.databaseUrl.reveal()
    return openPostgresStore({ url, role, log, metrics, maxConnections: engines.databasePoolSize })
  }
  const { openSqliteStore } = await import('./adapters/sqlite/open-store.ts')
  return openSqliteStore({ dataDir: engines.dataDir, role, log, metrics })
}

async function openCache({ engines }: Config, { clock, log, metrics }: Tools): Promise<Cache> {
  if (engines.redisUrl === undefined)
    return createMemoryCache({ clock, log, maxBytes: MEMORY_CACHE_BYTES_MAX })
  const { openRedisCache } = await import('./adapters/redis/redis-cache.ts')
  return openRedisCache({ url: engines.redisUrl.reveal(), log, metrics })
}

async function openTracing({ telemetry }: Config, { log }: Tools): Promise<Tracing | undefined> {
  if (telemetry.otlpEndpoint === undefined) return undefined
  const { startTracing } = await import('./adapters/telemetry/tracing.ts')
  return startTracing({ endpoint: telemetry.otlpEndpoint, serviceName: telemetry.serviceName, log })
}
