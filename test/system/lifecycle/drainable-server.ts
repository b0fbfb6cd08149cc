import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { createIds } from '../../../src/adapters/system/ids.ts'
import { createLog } from '../../../src/adapters/telemetry/log.ts'
import { createMetrics } from '../../../src/adapters/telemetry/prometheus.ts'
import type { Operation } from '../../../src/http/operation.ts'
import { readyz } from '../../../src/http/operations/readyz/operation.ts'
import { createDrainState, type DrainState } from '../../../src/http/server/draining.ts'
import type { HttpServer } from '../../../src/http/server/listen.ts'
import { createServer } from '../../../src/http/server/server.ts'
import { memoryApp } from '../../api/http-edge/memory-app.ts'
import { openRaw, type RawConnection } from '../../api/http-edge/raw-connection.ts'
import { FAST_DOOR } from '../../fast-door.ts'

export interface Drainable {
  server: HttpServer
  drain: DrainState
  port: number
  /** Sends a request that `answer` holds, and resolves when it has arrived. */
  hold(): Promise<RawConnection>
}

/** The real edge with readiness and one operation that waits for `answer`. */
export async function drainableServer(answer: (drain: DrainState) => Promise<string>): Promise<Drainable> {
  const drain = createDrainState()
  const arrived = Promise.withResolvers<void>()
  const held: Operation = {
    id: 'held',
    method: 'GET',
    path: '/held',
    area: 'video',
    access: 'open',
    summary: 'Answers when it likes',
    replies: {},
    handle: () => () => {
      arrived.resolve()
      return answer(drain)
    },
  }
  const log = createLog({ level: 'silent' })
  const server = createServer({
    app: memoryApp(),
    metrics: createMetrics(),
    log,
    logRequest: log.logRequest,
    newId: createIds(systemClock),
    clock: systemClock,
    drain,
    operations: [readyz, held],
    limits: {
      inFlightMax: 100,
      lagMsMax: 10_000,
      textBodyBytesMax: undefined,
      bodyRateMin: 0,
      bodyBytesMax: 1e9,
      bodyBytesEachMax: 1e9,
    },
    fastDoor: FAST_DOOR,
    timeouts: { headersMs: 60_000, requestMs: 60_000, keepAliveMs: 60_000 },
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    server.cutConnections()
    await server.close()
  })
  const { port } = server.server.address() as AddressInfo
  return {
    server,
    drain,
    port,
    async hold() {
      const connection = openRaw(port)
      connection.write('GET /held HTTP/1.1\r\nHost: x\r\n\r\n')
      await arrived.promise
      return connection
    },
  }
}
