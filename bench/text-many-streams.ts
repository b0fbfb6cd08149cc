import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { atMost, type Figures } from './figures.ts'
import { median } from './rounds.ts'
import { cpuSecondsOf, residentMegabytesOf } from './text/process-cost.ts'
import { type Kind, openStage, type Way } from './text/stage.ts'

const STREAMS = 500
const GOAL_RESIDENT_MB = 190
const GOAL_LAG_MS = 20
const EVENTS = 100
const SAMPLE_EVERY_MS = 100
/** Each paced event holds its departure time. */
const STAMP = /left=(\d+)/g

interface Measured {
  residentMb: number
  /** Before the streams began. */
  restMb: number
  cpuMsPerStream: number
  delaysMs: number[]
}

/** 500 concurrent streams, each with 100 events and 50 ms between them: their memory, cost and delay. */
export async function textManyStreams(): Promise<Figures[]> {
  const kinds = ['direct', 'dispatch', 'nginx', 'sluice', 'portkey'] as const
  const stage = await openStage({ stream: true, paced: true, kinds, clients: ['messages', 'responses'] })
  try {
    const rows: Figures['rows'] = {}
    const goals = []
    for (const [kind, ways] of Map.groupBy(stage.ways, (way) => way.kind)) {
      // The first time warms up.
      await measure(ways)
      const url = ways[0]?.url ?? ''
      if (kind === 'sluice') await lagP99Of(url)
      const measured = await measure(ways)
      rows[LABELS[kind] ?? kind] = present(measured)
      if (kind !== 'sluice') continue
      const lagMs = await lagP99Of(url)
      goals.push(atMost(`Memory with ${STREAMS} streams`, measured.residentMb, GOAL_RESIDENT_MB, 'MB'))
      goals.push(atMost(`Lag of the loop with ${STREAMS} streams, p99`, lagMs, GOAL_LAG_MS, 'ms'))
    }
    const title = `${STREAMS} streams, 50 ms between events`
    const note =
      'The time of an event is from the moment when the vendor wrote it to the moment when the client read it.'
    return [{ title, note, rows, goals, plotted: 'event p99 ms' }]
  } finally {
    await stage.stop()
  }
}

const LABELS: Partial<Record<Kind, string>> = {
  direct: 'upstream itself',
  dispatch: 'bare dispatch: messages, responses',
  nginx: 'nginx: messages',
  sluice: 'Sluice: both dialects, passed and converted',
  portkey: 'Portkey: chat, passed and converted',
}

/** Lag since the last call. Node's own metric of that name includes the 20 ms between its samples. */
async function lagP99Of(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(metrics.match(/^sluice_event_loop_lag_seconds\{quantile="0.99"\} (\S+)/m)?.[1]) * 1_000
}

/** The ways of one process share the streams. */
async function measure(ways: readonly Way[]): Promise<Measured> {
  const [first] = ways
  if (first === undefined) throw new Error('no way to measure')
  const pool = new Pool(first.url, { connections: STREAMS, pipelining: 1, bodyTimeout: 60_000 })
  const restMb = residentMegabytesOf(first.pid)
  const beforeSeconds = cpuSecondsOf(first.pid)
  const delaysMs: number[] = []
  let residentMb = 0
  let isOver = false
  const streams = Array.from({ length: STREAMS }, (_, index) =>
    readStream(pool, ways[index % ways.length] ?? first, delaysMs),
  )
  const all = Promise.all(streams).finally(() => {
    isOver = true
  })
  while (!isOver) {
    residentMb = Math.max(residentMb, residentMegabytesOf(first.pid))
    await Promise.race([sleep(SAMPLE_EVERY_MS), all])
  }
  await all
  await pool.close()
  const cpuSeconds = cpuSecondsOf(first.pid) - beforeSeconds
  return { residentMb, restMb, cpuMsPerStream: (cpuSeconds / STREAMS) * 1_000, delaysMs }
}

async function readStream(pool: Pool, { name, headers, request }: Way, delaysMs: number[]): Promise<void> {
  const { statusCode, body } = await pool.request({ ...request, method: 'POST', headers })
  let events = 0
  for await (const chunk of body) {
    const now = process.hrtime.bigint()
    for (const [, stamp = '0'] of String(chunk).matchAll(STAMP)) {
      events += 1
      // The final events of the responses dialect repeat everything, which is no delay.
      if (events <= EVENTS) delaysMs.push(Number(now - BigInt(stamp)) / 1e6)
    }
  }
  if (statusCode !== 200 || events < EVENTS) {
    throw new Error(`${name} answered ${statusCode} with ${events} of ${EVENTS} events`)
  }
}

function present({ residentMb, restMb, cpuMsPerStream, delaysMs }: Measured): Record<string, number> {
  const sorted = delaysMs.toSorted((a, b) => a - b)
  return {
    'resident MB': residentMb,
    'KB/stream': ((residentMb - restMb) / STREAMS) * 1024,
    'CPU ms/stream': cpuMsPerStream,
    'event p50 ms': median(sorted),
    'event p99 ms': sorted[Math.floor(sorted.length * 0.99)] ?? NaN,
  }
}
