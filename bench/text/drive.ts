import type { EventEmitter } from 'node:events'
import autocannon from 'autocannon'
import { Client } from 'undici'
import { cpuSecondsOf } from './process-cost.ts'
import type { Way } from './stage.ts'

/** A busy machine must not turn a measurement into errors. */
const TIMEOUT_SECONDS = 60
const WRITER = 'sluice-writer'

export interface Load {
  cpuMicrosPerRequest: number
  /** The part of it in SQLite's writer thread. */
  writerMicrosPerRequest: number
  requestsPerSecond: number
}

/** Sends a number of requests, `atOnce` at the same time, and measures their cost in the process `way.pid`. */
export async function drive(way: Way, amount: number, atOnce = 64): Promise<Load> {
  const before = cpuSecondsOf(way.pid)
  const writerBefore = cpuSecondsOf(way.pid, WRITER)
  const began = performance.now()
  let endedMs = began
  const running = autocannon({
    url: way.url + way.request.path,
    method: 'POST',
    headers: way.headers,
    body: way.request.body,
    connections: Math.min(atOnce, amount),
    amount,
    timeout: TIMEOUT_SECONDS,
  }) as Promise<autocannon.Result> & EventEmitter
  // The run lasts until a whole second is over, and the last response comes earlier.
  running.on('response', () => {
    endedMs = performance.now()
  })
  const result = await running
  const seconds = (endedMs - began) / 1_000
  const cpu = cpuSecondsOf(way.pid) - before
  const writer = cpuSecondsOf(way.pid, WRITER) - writerBefore
  if (result['2xx'] !== amount) {
    const statuses = JSON.stringify(result.statusCodeStats)
    const others = `statuses ${statuses}, ${result.errors} errors, ${result.timeouts} timeouts`
    throw new Error(`${way.name}: ${result['2xx']} of ${amount} answers were 2xx, ${others}`)
  }
  return {
    cpuMicrosPerRequest: (cpu / amount) * 1e6,
    writerMicrosPerRequest: (writer / amount) * 1e6,
    requestsPerSecond: amount / seconds,
  }
}

/** The time of each request, one at a time and the ways in turn, so that they share the other load of the machine. */
export async function timeInTurn(ways: readonly Way[], rounds: number): Promise<Map<Way, number[]>> {
  const clients = new Map(ways.map((way) => [way, new Client(way.url)]))
  const times = new Map<Way, number[]>(ways.map((way) => [way, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [way, client] of clients) {
      const began = performance.now()
      const { statusCode, body } = await client.request({
        path: way.request.path,
        method: 'POST',
        headers: way.headers,
        body: way.request.body,
      })
      await body.dump({ limit: 1e9 })
      const tookMs = performance.now() - began
      if (statusCode !== 200) throw new Error(`${way.name} answered ${statusCode}`)
      // The first tenth warms up.
      if (round >= rounds / 10) times.get(way)?.push(tookMs)
    }
  }
  for (const client of clients.values()) await client.close()
  return times
}
