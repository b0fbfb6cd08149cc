import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { atLeast, type Figures } from './figures.ts'
import { amountOf, median, ROUNDS } from './rounds.ts'
import { checkWays } from './text/check-ways.ts'
import { drive } from './text/drive.ts'
import { type Kind, openStage, type Scene, type Way } from './text/stage.ts'

const CONCURRENT = 64
/** Requests since the start of a process, at the end of each piece. */
const COLD_ENDS = [1_000, 5_000, 20_000] as const
const WARM_REQUESTS = 10_000
const GOAL_PART_OF_DISPATCH = 70

const KINDS: readonly Kind[] = ['dispatch', 'pipe', 'sluice']

/** CPU per request in microseconds. */
interface Start {
  /** Mean of all requests up to each of `COLD_ENDS`. */
  cold: number[]
  warm: number
}

/**
 * A comparison in which no side rests between its rounds: each process is started, measured in one piece after the same
 * number of requests, and ended, five times. A process that rested costs more, a bare process most of all.
 */
export async function textStarts(): Promise<Figures[]> {
  const figures: Figures[] = []
  for (const stream of [false, true]) {
    for (const isPinned of canPin() ? [true, false] : [false])
      figures.push(await compareStarts({ stream, isPinned }))
  }
  return figures
}

async function compareStarts({ stream, isPinned }: { stream: boolean; isPinned: boolean }): Promise<Figures> {
  const starts = new Map<Kind, Start[]>(KINDS.map((kind) => [kind, []]))
  for (let round = 0; round < ROUNDS; round += 1) {
    // The order changes, so that no side always follows the same side.
    const kinds = [...KINDS.slice(round % KINDS.length), ...KINDS.slice(0, round % KINDS.length)]
    for (const kind of kinds) starts.get(kind)?.push(await measureStart(kind, { stream, isPinned }))
  }
  const warmOf = (kind: Kind) => (starts.get(kind) ?? []).map(({ warm }) => warm)
  const dispatch = median(warmOf('dispatch'))
  const rows = KINDS.map((kind) => {
    const found = starts.get(kind) ?? []
    const cold = COLD_ENDS.map(
      (end, at) => [`first ${amountOf(end)}`, median(found.map((start) => start.cold[at] ?? NaN))] as const,
    )
    const warm = warmOf(kind)
    return [
      NAMES[kind] ?? kind,
      {
        ...Object.fromEntries(cold),
        [`next ${amountOf(WARM_REQUESTS)}`]: median(warm),
        ...{ least: Math.min(...warm), most: Math.max(...warm) },
        '% of bare dispatch': (dispatch / median(warm)) * 100,
      },
    ] as const
  })
  const title = `${stream ? 'Streams of 100 events' : 'Whole replies'} from the start, ${isPinned ? 'pinned to one core' : 'not pinned'}`
  return {
    title,
    note: `CPU us/request, messages, ${CONCURRENT} at the same time; medians of ${ROUNDS} starts, with the least and the most of the last piece.`,
    rows: Object.fromEntries(rows),
    goals: stream
      ? []
      : [
          atLeast(
            `${title}: bare dispatch`,
            (dispatch / median(warmOf('sluice'))) * 100,
            GOAL_PART_OF_DISPATCH,
            '%',
          ),
        ],
  }
}

const NAMES: Partial<Record<Kind, string>> = {
  dispatch: 'bare dispatch',
  pipe: 'bare pipe',
  sluice: 'Sluice',
}

async function measureStart(
  kind: Kind,
  scene: Pick<Scene, 'stream'> & { isPinned: boolean },
): Promise<Start> {
  // Children inherit the cores: the vendor has those of its client.
  if (scene.isPinned) pin(process.pid, '1-1023')
  try {
    const stage = await openStage({ stream: scene.stream, kinds: [kind] })
    try {
      const way = stage.ways.find(({ isConverted }) => !isConverted)
      if (way === undefined) throw new Error(`nothing to measure: ${kind}`)
      if (scene.isPinned) pin(way.pid, '0')
      await checkWays([way])
      return await measurePieces(way)
    } finally {
      await stage.stop()
    }
  } finally {
    if (scene.isPinned) pin(process.pid, '0-1023')
  }
}

async function measurePieces(way: Way): Promise<Start> {
  const cold: number[] = []
  let sent = 0
  let micros = 0
  for (const end of COLD_ENDS.map(amountOf)) {
    micros += (await drive(way, end - sent, CONCURRENT)).cpuMicrosPerRequest * (end - sent)
    sent = end
    cold.push(micros / sent)
  }
  const { cpuMicrosPerRequest: warm } = await drive(way, amountOf(WARM_REQUESTS), CONCURRENT)
  return { cold, warm }
}

/** False on systems other than Linux, and with one core. */
function canPin(): boolean {
  try {
    pin(process.pid, '0-1023')
  } catch {
    return false
  }
  return cpus().length > 1
}

/** Pins all threads of a process; threads that it starts later inherit the cores. */
function pin(pid: number, cores: string): void {
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' })
}
