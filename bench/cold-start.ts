import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshFolder, startGateway } from './gateway.ts'

const LATER_STARTS = 5
const REST_MS = 3_000
const GOAL_START_MS = 1_500
const GOAL_RESIDENT_MB = 120

interface Start {
  startedInMs: number
  /** Linux tells; elsewhere it is NaN and counts as missed rather than guessed. */
  residentMb: number
}

/** The embedded default: from the command to "ready", and the memory that it holds when it is idle. */
export async function coldStart(): Promise<void> {
  const dataDir = freshFolder()
  const first = await start({ dataDir })
  const later: Start[] = []
  for (let index = 0; index < LATER_STARTS; index++) later.push(await start({ dataDir }))
  const uncached = await start({ dataDir, compileCache: join(dataDir, 'nothing-cached') })
  rmSync(dataDir, { recursive: true, force: true })

  const rows = {
    'first start after the install': first,
    'later starts, median': medianOf(later),
    'without what the install prepared': uncached,
  }
  console.table(Object.fromEntries(Object.entries(rows).map(([name, measured]) => [name, present(measured)])))
  console.log(`goals: ready in under ${GOAL_START_MS} ms, under ${GOAL_RESIDENT_MB} MB resident at rest`)
}

async function start(options: { dataDir: string; compileCache?: string }): Promise<Start> {
  const gateway = await startGateway({ ...options, keep: true })
  await sleep(REST_MS)
  const residentMb = residentMegabytes(gateway.pid)
  await gateway.stop()
  return { startedInMs: gateway.startedInMs, residentMb }
}

function medianOf(starts: Start[]): Start {
  const median = (pick: (start: Start) => number) =>
    starts.map(pick).toSorted((a, b) => a - b)[starts.length >> 1] ?? Number.NaN
  return {
    startedInMs: median(({ startedInMs }) => startedInMs),
    residentMb: median(({ residentMb }) => residentMb),
  }
}

function present({ startedInMs, residentMb }: Start): Record<string, string> {
  return {
    'ready in ms': verdict(startedInMs, GOAL_START_MS),
    'resident MB': verdict(residentMb, GOAL_RESIDENT_MB),
  }
}

function verdict(value: number, goal: number): string {
  return `${Math.round(value)} ${value < goal ? '(reached)' : '(MISSED)'}`
}

function residentMegabytes(pid: number): number {
  try {
    const kilobytes = readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+) kB/m)?.[1]
    return Number(kilobytes) / 1024
  } catch {
    return Number.NaN
  }
}
