import type { AddressInfo } from 'node:net'
import { createAdminAccess } from '../../../src/http/admin/admin-key-check.ts'
import { createDrainState, type DrainState } from '../../../src/http/server/draining.ts'
import { readForwarded } from '../../../src/http/server/forwarded.ts'
import { createServer, type ServerParts } from '../../../src/http/server/server.ts'
import type { FinishedRequest, LogFields } from '../../../src/ports/log.ts'
import type { Metrics } from '../../../src/ports/metrics.ts'
import { FAST_DOOR } from '../../fast-door.ts'
import { silentMetrics } from '../../silent-metrics.ts'
import { ADMIN_KEY, memoryApp } from './memory-app.ts'

export interface Edge {
  url: string
  port: number
  drain: DrainState
  /** Reports of the edge to its metrics and its log, in order. */
  finished: Parameters<Metrics['requestFinished']>[0][]
  shed: { count: number }
  lines: { level: string; event: string; fields: LogFields }[]
  requests: FinishedRequest[]
  /** Bytes of bodies that are held. */
  bodyBytes(): number
  /** WebSocket connections that are open. */
  socketsOpen(): number
  /** Moves the monotonic clock. */
  advance(ms: number): void
  /** Stops the server, and waits for the last answer. */
  leave(): Promise<void>
  close(): Promise<void>
}

type EdgeParts = Partial<Omit<ServerParts, 'limits' | 'timeouts' | 'fastDoor'>> & {
  fastDoor?: boolean
  limits?: Partial<ServerParts['limits']>
  timeouts?: Partial<ServerParts['timeouts']>
  host?: string
}

const MEBIBYTE = 1024 * 1024
const LIMITS: ServerParts['limits'] = {
  ...{ inFlightMax: 4_096, lagMsMax: 1_000, textBodyBytesMax: undefined },
  ...{ bodyBytesMax: 512 * MEBIBYTE, bodyBytesEachMax: 128 * MEBIBYTE, bodyRateMin: 1_024 },
}

/** The real edge on a port of its own, over an app of plain objects and a clock that stands still. */
export async function startEdge({
  limits,
  timeouts,
  host = '127.0.0.1',
  ...parts
}: EdgeParts = {}): Promise<Edge> {
  const drain = createDrainState()
  const finished: Edge['finished'] = []
  const shed = { count: 0 }
  const lines: Edge['lines'] = []
  const requests: FinishedRequest[] = []
  const write =
    (level: string) =>
    (event: string, fields: LogFields = {}) =>
      void lines.push({ level, event, fields })
  let monotonicMs = 0
  let readBodyBytes = () => 0
  let readSockets = () => 0
  let ids = 0
  const clock = { nowMs: () => 1_700_000_000_000, monotonicMs: () => monotonicMs }
  const forwarded = parts.forwarded ?? readForwarded([])
  const server = createServer({
    app: memoryApp(),
    metrics: silentMetrics({
      requestFinished: (request) => void finished.push(request),
      watchBodies(read) {
        readBodyBytes = read
      },
      watchSockets(read) {
        readSockets = read
      },
      requestShed: () => void shed.count++,
      render: async () => ({ contentType: 'text/plain; version=0.0.4', body: 'sluice_test 1\n' }),
    }),
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    logRequest: (request) => void requests.push(request),
    newId: (prefix) => `${prefix}_${++ids}`,
    clock,
    drain,
    forwarded,
    admin: createAdminAccess({ adminApiKey: ADMIN_KEY, forwarded, clock }),
    limits: { ...LIMITS, ...limits },
    answerMcp: async () => ({}),
    fastDoor: FAST_DOOR,
    timeouts: { headersMs: 15_000, requestMs: 300_000, keepAliveMs: 72_000, ...timeouts },
    ...parts,
  })
  await server.listen({ port: 0, host })
  const { port } = server.server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    drain,
    finished,
    shed,
    lines,
    requests,
    bodyBytes: () => readBodyBytes(),
    socketsOpen: () => readSockets(),
    advance: (ms) => {
      monotonicMs += ms
    },
    leave: () => server.close(),
    async close() {
      server.cutConnections()
      await server.close()
    },
  }
}
