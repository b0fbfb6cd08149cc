import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { median } from './median.ts'
import { GOAL_RESIDENT_MB, verdict } from './text/goals.ts'
import { cpuSecondsOf, residentMegabytesOf } from './text/process-cost.ts'
import { openStage, type Way } from './text/stage.ts'

const STREAMS = 500
const EVENTS = 100
const SAMPLE_EVERY_MS = 100
/** Each paced event says when it left. */
const STAMP = /left=(\d+)/g

interface Measured {
  residentMb: number
  cpuMsPerStream: number
  delaysMs: number[]
}

/** 500 streams at once, each with 100 events and 50 ms between them: what they hold, cost and delay. */
export async function textManyStreams(): Promise<void> {
  const stage = await openStage({ stream: true, paced: true })
  try {
    const rows: Record<string, Record<string, string>> = {}
    let residentMb = 0
    for (const [name, ways] of Map.groupBy(stage.ways, ({ kind }) => kind)) {
      const measured = await measure(ways)
      if (name === 'sluice') residentMb = measured.residentMb
      rows[LABELS[name]] = present(measured)
    }
    console.table(rows)
    const reached = verdict(residentMb < GOAL_RESIDENT_MB)
    console.log(
      `Sluice held ${residentMb.toFixed(0)} MB with ${STREAMS} streams (goal under ${GOAL_RESIDENT_MB} MB: ${reached})`,
    )
  } finally {
    await stage.stop()
  }
}

const LABELS: Record<Way['kind'], string> = {
  direct: 'upstream itself',
  bare: 'bare pipe: messages, responses, chat',
  nginx: 'nginx: messages, responses, chat',
  sluice: 'Sluice: both dialects, passed and converted',
  portkey: 'Portkey: chat, passed and converted',
}

/** The ways of one process share the streams. */
async function measure(ways: readonly Way[]): Promise<Measured> {
  const [first] = ways
  if (first === undefined) throw new Error('no way to measure')
  const pool = new Pool(first.url, { connections: STREAMS, pipelining: 1, bodyTimeout: 60_000 })
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
  return { residentMb, cpuMsPerStream: (cpuSeconds / STREAMS) * 1_000, delaysMs }
}

async function readStream(pool: Pool, { name, headers, request }: Way, delaysMs: number[]): Promise<void> {
  const { statusCode, body } = await pool.request({ ...request, method: 'POST', headers })
  let events = 0
  for await (const chunk of body) {
    const now = process.hrtime.bigint()
    for (const [, stamp = '0'] of String(chunk).matchAll(STAMP)) {
      events += 1
      // The last events of the responses dialect say everything again, which is no delay.
      if (events <= EVENTS) delaysMs.push(Number(now - BigInt(stamp)) / 1e6)
    }
  }
  if (statusCode !== 200 || events < EVENTS) {
    throw new Error(`${name} answered ${statusCode} with ${events} of ${EVENTS} events`)
  }
}

function present({ residentMb, cpuMsPerStream, delaysMs }: Measured): Record<string, string> {
  const sorted = delaysMs.toSorted((a, b) => a - b)
  return {
    'resident MB': residentMb.toFixed(0),
    'CPU ms/stream': cpuMsPerStream.toFixed(2),
    'event p50 ms': median(sorted).toFixed(1),
    'event p99 ms': (sorted[Math.floor(sorted.length * 0.99)] ?? NaN).toFixed(1),
  }
}
