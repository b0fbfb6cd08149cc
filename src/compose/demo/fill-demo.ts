import { createPastClock } from '../../../sandbox/demo/past-clock.ts'
import { systemClock } from '../../adapters/system/clock.ts'
import type { DemoReport } from '../../app/operator.ts'
import { Secret } from '../../config/secret.ts'
import { ApiError } from '../../domain/api-error.ts'
import { MissingStore } from '../../domain/missing-store.ts'
import { passCheckpoint } from '../../ports/checkpoint.ts'
import type { Store } from '../../ports/store.ts'
import { type Config, randomSecret } from '../config.ts'
import { migrateStore, openStore, requireStore } from '../engines.ts'
import { composeGateway } from '../gateway.ts'

const DAY_MS = 86_400_000
/** Time between the end of the traffic and now. */
const END_MS = 60_000

/** `besideCustomers`: a store that has customers is filled too. */
interface FillOptions {
  besideCustomers: boolean
}

/**
 * Fills a store with a month of invented traffic: a separate gateway with a clock in the past serves it from sandbox
 * vendors. A gateway that runs on the same store is not disturbed.
 */
export async function fillDemo(
  config: Config,
  { besideCustomers, days = 30 }: FillOptions & { days?: number },
): Promise<DemoReport> {
  if (config.providers.length > 0) throw refused('The demo needs the sandbox, and sluice.yaml has providers.')
  await makeStore(config)
  const toMs = systemClock.nowMs() - END_MS
  const clock = createPastClock(toMs - days * DAY_MS)
  await using opened = new AsyncDisposableStack()
  const [{ startSandbox }, { makeTraffic }] = await Promise.all([
    import('../../../sandbox/server.ts'),
    import('../../../sandbox/demo/make-traffic.ts'),
  ])
  const { port } = config.sandbox
  const sandbox = await startSandbox({ port: 0, linkPort: port, speed: SANDBOX_SPEED, nowMs: clock.nowMs })
  opened.defer(() => sandbox.close())
  const { promise: store, resolve: foundStore } = Promise.withResolvers<Store>()
  const adminKey = randomSecret()
  const gateway = await composeGateway({
    config: configOf(config, adminKey),
    checkpoint: passCheckpoint,
    inCluster: false,
    sandboxUrl: sandbox.url,
    clock,
    async openStore(settings, tools) {
      const found = await openStore(settings, tools, 'beside')
      await requireEmpty(found, { besideCustomers }).catch(async (error: unknown) => {
        await found.close()
        throw error
      })
      foundStore(found)
      return found
    },
  })
  opened.defer(() => gateway.close())
  const { demo, ledger } = await store
  const url = await gateway.server.listen({ host: '127.0.0.1', port: 0 })
  const report = await makeTraffic({
    ...{ url, adminKey, clock, fromMs: clock.nowMs(), toMs },
    onCustomer: (id) => demo.mark(id),
    // The worker `hold-reaper` works by real time, so expired holds are ended here.
    onJump: async () => void (await ledger.expire({ nowMs: clock.nowMs(), limit: EXPIRED_MAX })),
  })
  await gateway.server.close()
  return report
}

/** Speed at which a video is finished before its first poll. */
const SANDBOX_SPEED = 1_000_000
const SWEEP_MS = 10
const EXPIRED_MAX = 1_000

/** Returns settings with which only the store is used: no providers, Redis, events, copies or traces. */
function configOf(config: Config, adminKey: string): Config {
  const { engines, secrets, http, events, telemetry, media, video } = config
  return {
    ...config,
    providers: [],
    engines: { ...engines, redisUrl: undefined },
    secrets: { ...secrets, adminApiKey: new Secret(adminKey) },
    http: { ...http, publicBaseUrl: undefined },
    openId: { ...config.openId, issuer: undefined },
    events: { ...events, url: undefined },
    media: { ...media, store: 'off' },
    video: { ...video, noticeBaseUrl: undefined, sweepIntervalMs: SWEEP_MS },
    telemetry: { ...telemetry, logLevel: 'silent', otlpEndpoint: undefined },
  }
}

async function makeStore(config: Config): Promise<void> {
  try {
    await requireStore(config)
  } catch (error) {
    if (!(error instanceof MissingStore)) throw error
    await migrateStore(config)
  }
}

async function requireEmpty({ demo, providers }: Store, { besideCustomers }: FillOptions): Promise<void> {
  if ((await demo.listOrganizations()).length > 0) throw refused('The store has the demo already.')
  if ((await providers.list()).length > 0)
    throw refused('The demo needs the sandbox, and the store has providers.')
  if (!besideCustomers && (await demo.countOthers()) > 0)
    throw refused('The store has customers; on the command line --beside-customers fills it all the same.')
}

const refused = (message: string) => new ApiError('invalid_parameter', { message })
