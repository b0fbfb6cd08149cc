import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import {
  createUpstream,
  type Upstream,
  type UpstreamOptions,
} from '../../../../src/adapters/outbound/upstream.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import type { PoolState } from '../../../../src/ports/metrics.ts'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { type RecordedMetrics, recordMetrics } from './recorded-metrics.ts'

/** A vendor, a fault proxy in front of it, and upstreams that go through the proxy. */
export interface UpstreamScenario {
  /** Handler of the vendor's requests; replace it at any time. */
  answer: RequestListener
  /** Method and path of everything that reached the vendor. */
  readonly requests: string[]
  readonly proxy: FaultProxy
  readonly metrics: RecordedMetrics
  /** Outcomes of the calls in order, as the metrics show them. */
  outcomes(): string[]
  pool(): PoolState | undefined
  open(changes?: Partial<UpstreamOptions>): Upstream
  close(): Promise<void>
}

export const CALL = { operation: 'try', holder: 'org_1', method: 'GET', path: '/x', headers: {} } as const
export const WHOLE = { ...CALL, totalTimeoutMs: 20_000, maxBytes: 1_000_000 } as const

export async function startUpstreamScenario(
  client: UpstreamOptions['client'] = 'lean',
): Promise<UpstreamScenario> {
  const server = createServer((request, response) => {
    scenario.requests.push(`${request.method} ${request.url}`)
    scenario.answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a TCP port')
  const proxy = await startFaultProxy({ port: address.port })
  const metrics = recordMetrics()
  const opened: Upstream[] = []

  const scenario: UpstreamScenario = {
    answer: (_request, response) => response.end('taken'),
    requests: [],
    proxy,
    metrics,
    outcomes: () => metrics.upstreamCalls.map(({ outcome }) => outcome),
    pool: () => metrics.pools.get('upstream vendorX')?.(),
    open(changes = {}) {
      const upstream = createUpstream({ ...usualOptions(proxy, metrics), client, ...changes })
      opened.push(upstream)
      return upstream
    },
    async close() {
      for (const upstream of opened) await upstream.close()
      await proxy.close()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return scenario
}

function usualOptions(proxy: FaultProxy, metrics: RecordedMetrics): UpstreamOptions {
  return {
    name: 'vendorX',
    baseUrl: `http://127.0.0.1:${proxy.port}/api`,
    connections: 2,
    queueLimit: 2,
    queueWaitMs: 10_000,
    connectTimeoutMs: 5_000,
    firstByteTimeoutMs: 10_000,
    idleTimeoutMs: 10_000,
    metrics,
    clock: systemClock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  }
}
