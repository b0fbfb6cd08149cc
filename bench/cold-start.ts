import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, type Figures } from './figures.ts'
import { freshFolder, startGateway } from './gateway.ts'
import { median, ROUNDS } from './rounds.ts'
import { residentMegabytesOf } from './text/process-cost.ts'

const REST_MS = 3_000
const GOAL_START_MS = 700
const GOAL_RESIDENT_MB = 114

interface Start {
  startedInMs: number
  residentMb: number
}

/** The embedded default: from the command to "ready", and the memory that it holds when it is idle. */
export async function coldStart(): Promise<Figures[]> {
  const dataDir = freshFolder()
  const first = await start({ dataDir })
  const later: Start[] = []
  for (let index = 0; index < ROUNDS; index++) later.push(await start({ dataDir }))
  const uncached = await start({ dataDir, compileCache: join(dataDir, 'nothing-cached') })
  rmSync(dataDir, { recursive: true, force: true })
  const usual = {
    startedInMs: median(later.map(({ startedInMs }) => startedInMs)),
    residentMb: median(later.map(({ residentMb }) => residentMb)),
  }
  const row = ({ startedInMs, residentMb }: Start) => ({
    'ready in ms': startedInMs,
    'resident MB': residentMb,
  })
  return [
    {
      title: 'Start, and memory at rest',
      rows: {
        'first start after the install': row(first),
        'later starts, median': row(usual),
        'without what the install prepared': row(uncached),
      },
      goals: [
        atMost('Start of the embedded default', usual.startedInMs, GOAL_START_MS, 'ms'),
        atMost('Memory at rest', usual.residentMb, GOAL_RESIDENT_MB, 'MB'),
      ],
    },
  ]
}

async function start(options: { dataDir: string; compileCache?: string }): Promise<Start> {
  const gateway = await startGateway({ ...options, keep: true })
  await sleep(REST_MS)
  const residentMb = residentMegabytesOf(gateway.pid)
  await gateway.stop()
  return { startedInMs: gateway.startedInMs, residentMb }
}
