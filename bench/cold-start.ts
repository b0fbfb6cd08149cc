import { readFileSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshFolder, startGateway } from './gateway.ts'

const STARTS = 5
const REST_MS = 3_000
const GOAL_START_MS = 1_500
const GOAL_RESIDENT_MB = 120

/** The embedded default: from the command to "ready", and what it holds when nobody calls. */
export async function coldStart(): Promise<void> {
  const dataDir = freshFolder()
  const starts: number[] = []
  const residents: number[] = []
  for (let start = 0; start < STARTS; start++) {
    const gateway = await startGateway({ dataDir, keep: true })
    starts.push(gateway.startedInMs)
    if (start === 0 || start === STARTS - 1) {
      await sleep(REST_MS)
      residents.push(residentMegabytes(gateway.pid))
    }
    await gateway.stop()
  }
  rmSync(dataDir, { recursive: true, force: true })

  const [firstResident = NaN, laterResident = NaN] = residents
  const [first = NaN, ...later] = starts
  const median = later.toSorted((a, b) => a - b)[later.length >> 1] ?? NaN
  console.table({
    'very first start, nothing cached (ms)': row(first, GOAL_START_MS),
    'later starts, median (ms)': row(median, GOAL_START_MS),
    'very first start, resident at rest (MB)': row(firstResident, GOAL_RESIDENT_MB),
    'later starts, resident at rest (MB)': row(laterResident, GOAL_RESIDENT_MB),
  })
}

function row(value: number, goal: number): Record<string, string | number> {
  return { measured: Math.round(value), goal: `under ${goal}`, verdict: value < goal ? 'reached' : 'MISSED' }
}

/** Linux tells; elsewhere the row says NaN and counts as missed rather than guessed. */
function residentMegabytes(pid: number): number {
  try {
    const kilobytes = readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+) kB/m)?.[1]
    return Number(kilobytes) / 1024
  } catch {
    return NaN
  }
}
