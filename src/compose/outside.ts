import type { StartCallSpan } from '../adapters/outbound/call-span.ts'
import type { GuardedClient, GuardedClientOptions } from '../adapters/outbound/guarded-client.ts'
import type { Upstream, UpstreamOptions } from '../adapters/outbound/upstream.ts'
import type { BodyTurns } from '../ports/body-turns.ts'
import type { SendCallback } from '../ports/callbacks.ts'
import type { Log } from '../ports/log.ts'
import type { OpenMedia } from '../ports/media.ts'
import type { Config } from './config.ts'
import type { Tools } from './tools.ts'

/** Calls that find every connection busy wait this long, and no more of them than this. */
const QUEUE_WAIT_MS = 5_000
const QUEUE_MAX = 1_000
const CONNECT_TIMEOUT_MS = 5_000

/** The ways out. Loaded when one is wanted, so that a start does not pay for them. */
export async function composeOutside(
  config: Config,
  { clock, log, metrics }: Pick<Tools, 'clock' | 'log' | 'metrics'>,
): Promise<{
  openUpstream(options: Omit<UpstreamOptions, 'client' | 'clock' | 'log' | 'metrics' | 'startSpan'>): Upstream
  /** A way to one provider as the settings have it. */
  openProvider(provider: { name: string; baseUrl: string; turns?: BodyTurns }): Upstream
  /** For diagnosis: whether a TLS handshake succeeds there. */
  speaksTls(probe: { url: URL; timeoutMs: number }): Promise<boolean>
  openGuarded(options: Omit<GuardedClientOptions, 'allow' | 'metrics' | 'startSpan'>): GuardedClient
}> {
  const [{ createUpstream }, { createGuardedClient }] = await Promise.all([
    import('../adapters/outbound/upstream.ts'),
    import('../adapters/outbound/guarded-client.ts'),
  ])
  const startSpan = await spanStarter(config)
  const {
    allowedRanges: allow,
    connectionsPerProvider,
    client,
    firstByteTimeoutMs,
    idleTimeoutMs,
  } = config.outbound
  return {
    openUpstream: (options) => createUpstream({ ...options, client, clock, log, metrics, startSpan }),
    openProvider: ({ name, baseUrl, turns }) =>
      createUpstream({
        ...{
          name,
          baseUrl,
          turns,
          client,
          clock,
          log,
          metrics,
          startSpan,
          firstByteTimeoutMs,
          idleTimeoutMs,
        },
        connections: connectionsPerProvider,
        queueLimit: QUEUE_MAX,
        queueWaitMs: QUEUE_WAIT_MS,
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
      }),
    speaksTls: async (probe) => (await import('../adapters/outbound/speaks-tls.ts')).speaksTls(probe),
    openGuarded: (options) => createGuardedClient({ ...options, allow, metrics, startSpan }),
  }
}

/** Callbacks that are sent at once, and how many may wait for one of these connections. */
const CALLBACK_CONNECTIONS = 64
const CALLBACK_QUEUE_MAX = 256

export async function composeSender(
  config: Config,
  tools: Pick<Tools, 'clock' | 'log' | 'metrics'>,
): Promise<SendCallback> {
  const [{ createCallbackSender }, { openGuarded }] = await Promise.all([
    import('../adapters/callbacks/send-callback.ts'),
    composeOutside(config, tools),
  ])
  const client = openGuarded({
    connections: CALLBACK_CONNECTIONS,
    queueLimit: CALLBACK_QUEUE_MAX,
    queueWaitMs: QUEUE_WAIT_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  })
  return createCallbackSender({ client })
}

/** The same, opened for the first message: most commands send none. */
export function senderLater(...parts: Parameters<typeof composeSender>): SendCallback {
  let opening: ReturnType<typeof composeSender> | undefined
  return async (message, signal) => {
    opening ??= composeSender(...parts)
    return (await opening)(message, signal)
  }
}

/** Transfers of all operators together; a quarter of them from one host, and of one organization. */
const MEDIA_CONNECTIONS = 32

/** What opens the links of vendors. They may lead where the providers are configured to be, and to public addresses. */
export function openMediaLater({
  config,
  tools,
  origins,
}: {
  config: Config
  tools: Pick<Tools, 'clock' | 'log' | 'metrics'>
  /** Addresses of providers; an empty text is none. */
  origins: readonly string[]
}): OpenMedia {
  const trustedOrigins = new Set(origins.flatMap((url) => URL.parse(url)?.origin ?? []))
  let opening: Promise<OpenMedia> | undefined
  const open = async () => {
    const { openGuarded } = await composeOutside(config, tools)
    const { createMediaOpener } = await import('../adapters/outbound/open-media.ts')
    const bounds = { connections: MEDIA_CONNECTIONS, queueLimit: QUEUE_MAX, queueWaitMs: QUEUE_WAIT_MS }
    const client = openGuarded({ ...bounds, connectTimeoutMs: CONNECT_TIMEOUT_MS, trustedOrigins })
    return createMediaOpener({ client })
  }
  return async (media) => {
    opening ??= open()
    return (await opening)(media)
  }
}

async function spanStarter({ telemetry }: Config): Promise<StartCallSpan | undefined> {
  if (telemetry.otlpEndpoint === undefined) return undefined
  return (await import('../adapters/outbound/call-span.ts')).startCallSpan
}

/** What does not close is a line in the log, and no reason to leave the rest open or to hide why a start failed. */
export function closerInto(opened: AsyncDisposableStack, log: Log) {
  return (reason: string, close: () => Promise<unknown>): void =>
    opened.defer(async () => {
      try {
        await close()
      } catch (error) {
        log.error('process.close_failed', { reason, error })
      }
    })
}
