import type { StartCallSpan } from '../adapters/outbound/call-span.ts'
import type { GuardedClient, GuardedClientOptions } from '../adapters/outbound/guarded-client.ts'
import type { Upstream, UpstreamOptions } from '../adapters/outbound/upstream.ts'
import type { AnyProvider } from '../config/providers/provider.ts'
import { createAddressCheck } from '../domain/addresses/address-check.ts'
import type { SendCallback } from '../ports/callbacks.ts'
import type { Log } from '../ports/log.ts'
import type { OpenMedia } from '../ports/media.ts'
import type { Config } from './config.ts'
import type { Tools } from './tools.ts'

/** Maximum wait of a call for a free connection, and maximum number of waiting calls. */
const QUEUE_WAIT_MS = 5_000
const QUEUE_MAX = 1_000
const CONNECT_TIMEOUT_MS = 5_000

type OutsideUpstream = Omit<
  UpstreamOptions,
  'client' | 'clock' | 'log' | 'metrics' | 'book' | 'startSpan' | 'lookup'
> &
  Pick<AnyProvider, 'isFromStore'>

type OutsideTools = Pick<Tools, 'clock' | 'log' | 'metrics'> & Partial<Pick<Tools, 'book'>>

/** Opens outgoing clients. Their modules are loaded on demand, which shortens the start. */
export async function composeOutside(
  config: Config,
  { clock, log, metrics, book }: OutsideTools,
): Promise<{
  openUpstream(options: OutsideUpstream): Upstream
  /** Opens an upstream for one provider, with the configured limits. */
  openProvider(provider: Pick<OutsideUpstream, 'name' | 'baseUrl' | 'turns' | 'isFromStore'>): Upstream
  /** Tells the diagnosis whether a TLS handshake succeeds. */
  speaksTls(probe: { url: URL; timeoutMs: number; isFromStore?: true | undefined }): Promise<boolean>
  openGuarded(options: Omit<GuardedClientOptions, 'allow' | 'metrics' | 'book' | 'startSpan'>): GuardedClient
}> {
  const [{ createUpstream }, { checkedLookup }, { createGuardedClient }] = await Promise.all([
    import('../adapters/outbound/upstream.ts'),
    import('../adapters/outbound/checked-lookup.ts'),
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
  const lookup = checkedLookup(createAddressCheck({ allow }))
  const openUpstream = ({ isFromStore, ...options }: OutsideUpstream) =>
    createUpstream({
      ...{ client, clock, log, metrics, book, startSpan },
      ...{ ...options, lookup: isFromStore && lookup },
    })
  return {
    openUpstream,
    openProvider: ({ name, baseUrl, turns, isFromStore }) =>
      openUpstream({
        name,
        baseUrl,
        turns,
        isFromStore,
        firstByteTimeoutMs,
        idleTimeoutMs,
        connections: connectionsPerProvider,
        queueLimit: QUEUE_MAX,
        queueWaitMs: QUEUE_WAIT_MS,
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
      }),
    async speaksTls({ isFromStore, ...probe }) {
      const { speaksTls } = await import('../adapters/outbound/speaks-tls.ts')
      return speaksTls({ ...probe, lookup: isFromStore && lookup })
    },
    openGuarded: (options) => createGuardedClient({ ...options, allow, metrics, book, startSpan }),
  }
}

/** Maximum number of callbacks that are sent at once, and of callbacks that wait for a connection. */
const CALLBACK_CONNECTIONS = 64
const CALLBACK_QUEUE_MAX = 256

export async function composeSender(config: Config, tools: OutsideTools): Promise<SendCallback> {
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

/** Opens the sender with the first message, because most commands send none. */
export function senderLater(...parts: Parameters<typeof composeSender>): SendCallback {
  let opening: ReturnType<typeof composeSender> | undefined
  return async (message, signal) => {
    opening ??= composeSender(...parts)
    return (await opening)(message, signal)
  }
}

/** Maximum number of transfers of all clients and operators; one organization gets at most a quarter. */
const MEDIA_CONNECTIONS = 128

/** Opens links of vendors, which may lead to configured providers and to public addresses. */
export function openMediaLater(input: {
  config: Config
  tools: OutsideTools
  /** Returns the addresses of the providers in force. */
  origins(): readonly Pick<AnyProvider, 'baseUrl' | 'isFromStore'>[]
}): OpenMedia {
  const { config, tools, origins } = input
  const trustOf = (origin: string) => {
    const same = origins().filter(({ baseUrl }) => URL.parse(baseUrl)?.origin === origin)
    if (same.length === 0) return undefined
    return same.every(({ isFromStore }) => isFromStore) ? 'public' : 'any'
  }
  let opening: Promise<OpenMedia> | undefined
  const open = async () => {
    const { openGuarded } = await composeOutside(config, tools)
    const { createMediaOpener } = await import('../adapters/outbound/open-media.ts')
    const bounds = { connections: MEDIA_CONNECTIONS, queueLimit: QUEUE_MAX, queueWaitMs: QUEUE_WAIT_MS }
    const client = openGuarded({ ...bounds, connectTimeoutMs: CONNECT_TIMEOUT_MS, trustOf })
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

/** Returns a function that defers a close and logs its failure: the other closes then run, and no error is hidden. */
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
