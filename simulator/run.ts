import { parseArgs } from 'node:util'
import { keepRecords, originOf } from '../reliability/record.ts'
import { ASSET_PLANTS } from './asset-plants.ts'
import { replaceSystem } from './kernel/replace-system.ts'
import { FAULT_KINDS } from './parts/faults.ts'
import { PLANTS } from './plants.ts'
import { reduce } from './reduce.ts'
import { shareSeeds } from './share-seeds.ts'
import { catchUnhandled, type SimulationEnd, type SimulationSettings, simulate } from './simulation.ts'
import { resultOf, type SeedResult, Tally } from './tally.ts'
import { VIDEO_PLANTS } from './video-plants.ts'

/** `npm run simulate -- --seed N --steps M`: see simulator/README.md. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    steps: { type: 'string', default: '2000' },
    replicas: { type: 'string', default: '2' },
    organizations: { type: 'string', default: '3' },
    without: { type: 'string', default: '' },
    plant: { type: 'string', default: '' },
    'text-only': { type: 'boolean', default: false },
    story: { type: 'boolean', default: false },
    'no-reduce': { type: 'boolean', default: false },
    twice: { type: 'boolean', default: false },
    processes: { type: 'string', default: '1' },
    report: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
    'tells-parent': { type: 'boolean', default: false },
  },
})

/** What a process gets beside its share of the seeds. */
const SHARED_OPTIONS = ['steps', 'replicas', 'organizations', 'without', 'plant'] as const

const PROGRESS_MS = 10_000

/** Lines of a story that are shown. */
const STORY_LINES_MAX = 80

const plants = { ...PLANTS, ...VIDEO_PLANTS, ...ASSET_PLANTS }
const makePlant = plants[values.plant] ?? (() => ({}))
if (values.plant !== '' && plants[values.plant] === undefined)
  throw new Error(`there is no plant ${values.plant}; there are ${Object.keys(plants).join(', ')}`)
// Before the run: files may change while it lasts, and it has read them by then.
const origin = originOf(`npm run simulate -- ${process.argv.slice(2).join(' ')}`)
const realNowMs = performance.now.bind(performance)
replaceSystem()
catchUnhandled()
process.exitCode = values['tells-parent'] ? await tellParent() : await runSeeds()

async function runSeeds(): Promise<number> {
  const [first, count, processes] = [Number(values.seed), Number(values.seeds), Number(values.processes)]
  const beganMs = realNowMs()
  const tally = new Tally()
  let toldMs = beganMs
  let broken: SeedResult | undefined
  const take = (result: SeedResult) => {
    if (result.broken !== undefined) {
      broken = result
      throw new Error('a rule is broken')
    }
    tally.add(result)
    if (realNowMs() - toldMs < PROGRESS_MS) return
    toldMs = realNowMs()
    process.stderr.write(`${tally.seeds} of ${count} seeds, ${tally.faultCount} faults\n`)
  }
  try {
    if (processes > 1) {
      const options = SHARED_OPTIONS.flatMap((name) => (values[name] ? [`--${name}=${values[name]}`] : []))
      await shareSeeds({ program: import.meta.filename, options, first, count, processes, onResult: take })
    } else for (let seed = first; seed < first + count; seed += 1) take(await runOne(seed, count === 1))
  } catch (error) {
    if (broken !== undefined) return tellFailure(settingsOf(broken.seed))
    write(error instanceof Error ? error.message : String(error))
    return 1
  }
  const seconds = (realNowMs() - beganMs) / 1_000
  write(
    `${count} seeds from ${first} in ${seconds.toFixed(1)} s (${(count / seconds).toFixed(1)} a second): ` +
      `${tally.events} events, ${tally.requests} requests, ${tally.faultCount} faults, no rule broken`,
  )
  write([...tally.faults].map(([kind, times]) => `${kind} ${times}`).join(', '))
  if (values.report && values.plant === '') reportRun(tally, { first, seconds, processes })
  else if (values.report) reportPlant(undefined)
  return 0
}

function reportRun(tally: Tally, run: { first: number; seconds: number; processes: number }): void {
  keepRecords((records) => {
    records.simulator = {
      ...origin,
      ...{ firstSeed: run.first, seeds: tally.seeds, events: tally.events, requests: tally.requests },
      ...{ virtualSeconds: tally.seconds, realSeconds: run.seconds, processes: run.processes },
      faults: Object.fromEntries(tally.faults),
    }
  })
}

function reportPlant(found: { seed: number; rule: string } | undefined): void {
  keepRecords((records) => {
    records.plants[values.plant] = {
      ...origin,
      ...{ foundAtSeed: found?.seed, seedsTried: Number(values.seeds), rule: found?.rule },
    }
  })
}

/** The share of one process among several. */
async function tellParent(): Promise<number> {
  const [first, count, every] = [Number(values.seed), Number(values.seeds), Number(values.every)]
  for (let place = 0; place < count; place += 1) process.send?.(await runOne(first + place * every, false))
  return 0
}

async function runOne(seed: number, isTold: boolean): Promise<SeedResult> {
  const settings = settingsOf(seed)
  const end = await simulate(settings)
  if (isTold) tellOne(seed, end)
  if (values.twice) await requireSameAgain(settings, end)
  return resultOf(seed, end)
}

function settingsOf(seed: number): SimulationSettings {
  return {
    seed,
    steps: Number(values.steps),
    replicas: Number(values.replicas),
    organizations: Number(values.organizations),
    without: new Set(FAULT_KINDS.filter((kind) => values.without.split(',').includes(kind))),
    withVideo: !values['text-only'],
    plant: makePlant(),
    keepsStory: values.story,
  }
}

function tellOne(seed: number, end: SimulationEnd): void {
  if (values.story) write(end.story.join('\n'))
  write(
    `seed ${seed}: ${end.events} events, ${end.seconds.toFixed(1)} s of virtual time, ` +
      `${end.requests} requests, trace ${end.digest}`,
  )
}

async function requireSameAgain(settings: SimulationSettings, end: SimulationEnd): Promise<void> {
  const again = await simulate({ ...settings, plant: makePlant() })
  if (again.digest !== end.digest)
    throw new Error(`seed ${settings.seed} gave two traces: ${end.digest} and ${again.digest}`)
}

async function tellFailure(settings: SimulationSettings): Promise<number> {
  const end = await simulate(settings)
  write(`seed ${settings.seed} breaks a rule after ${end.events} events: ${end.violation?.message}`)
  if (values.report && values.plant !== '')
    reportPlant({ seed: settings.seed, rule: end.violation?.rule ?? 'none' })
  if (values['no-reduce']) return 1
  const reduced = await reduce(settings, end, makePlant)
  const { steps, organizations, replicas, without } = reduced.settings
  const skipped = reduced.end.story.length - STORY_LINES_MAX
  write(`reduced in ${reduced.tries} runs to ${reduced.end.events} events; the same run again:`)
  const plant = values.plant === '' ? '' : ` --plant ${values.plant}`
  write(
    `  npm run simulate -- --seed ${settings.seed} --steps ${steps} --organizations ${organizations} ` +
      `--replicas ${replicas} --without ${[...without].join(',')}${plant}${values['text-only'] ? ' --text-only' : ''}`,
  )
  if (skipped > 0) write(`  (${skipped} lines before)`)
  write(reduced.end.story.slice(-STORY_LINES_MAX).join('\n'))
  write(reduced.end.violation?.message ?? 'the reduced run breaks no rule')
  return 1
}

function write(line: string): void {
  process.stdout.write(`${line}\n`)
}
