import { setTimeout as sleep } from 'node:timers/promises'
import type { Upstream } from '../../../src/adapters/outbound/upstream.ts'
import { textProvider } from '../../../src/adapters/providers/text/provider.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { LogFields } from '../../../src/ports/log.ts'
import type {
  TextCall,
  TextNetworkError,
  TextProvider,
  TextReceiver,
  TextSent,
} from '../../../src/ports/text-provider.ts'

/** Result of a call, as its receiver got it. */
export interface ReceivedReply {
  status: number | undefined
  retryAfterMs: number | undefined
  body: string
  failure: TextNetworkError | undefined
}

export interface ProviderUnderTest {
  time: { ms: number }
  warnings: LogFields[]
  provider: TextProvider
  /** `onSent` is called as soon as the call is sent. */
  ask(changes?: Partial<TextCall>, onSent?: (sent: TextSent) => void): Promise<ReceivedReply>
}

/** A provider with these keys (`name` or `name x weight`), on a clock that the test moves. */
export function openProvider(upstream: Upstream, ...keys: string[]): ProviderUnderTest {
  const time = { ms: 1_000_000 }
  const warnings: LogFields[] = []
  const provider = textProvider({
    name: 'vendorX',
    baseUrl: 'https://vendor.example',
    versionHeader: 'compat-version',
    models: new Map([['m', { dialect: 'chat', upstream: 'm', countsTokens: false, reasons: true }]]),
    keys: keys.map((spelled) => {
      const [name = '', weight = '1'] = spelled.split(' x ')
      return { key: { reveal: () => name }, weight: Number(weight) }
    }),
    upstream,
    clock: { nowMs: systemClock.nowMs, monotonicMs: () => time.ms },
    log: { debug() {}, info() {}, error() {}, warn: (_, fields = {}) => void warnings.push(fields) },
  })
  return { time, warnings, provider, ask: (changes, onSent) => ask(provider, changes, onSent) }
}

const CALL: TextCall = {
  organizationId: 'org_1',
  model: 'm',
  dialect: 'chat',
  operation: 'create',
  body: '{"model":"m"}',
  version: undefined,
  betas: undefined,
}

/** Throws if the receiver is called in a wrong order, or after the end. */
async function ask(
  provider: TextProvider,
  changes: Partial<TextCall> = {},
  onSent = (_sent: TextSent): void => {},
): Promise<ReceivedReply> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const received: ReceivedReply = { status: undefined, retryAfterMs: undefined, body: '', failure: undefined }
  const log: string[] = []
  const receiver: TextReceiver = {
    onHead({ status, retryAfterMs }) {
      log.push('head')
      Object.assign(received, { status, retryAfterMs })
    },
    onChunk(chunk) {
      log.push('chunk')
      received.body += chunk.toString()
    },
    onEnd() {
      log.push('end')
      resolve()
    },
    onFailure(failure) {
      log.push('failure')
      received.failure = failure
      resolve()
    },
  }
  onSent(provider.send({ ...CALL, ...changes }, receiver))
  await promise
  await sleep(0)
  const order = log.filter((word) => word !== 'chunk').join(' ')
  if (!['head end', 'head failure', 'failure'].includes(order) || log.at(-1) === 'chunk') {
    throw new Error(`the receiver heard: ${log.join(' ')}`)
  }
  return received
}
