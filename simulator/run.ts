import { keepRecords, originOf, readRecords } from '../reliability/record.ts'
import { ASSET_PLANTS } from './asset-plants.ts'
import { replaceSystem } from './kernel/replace-system.ts'
import { HELP, readOptions, runOptions } from './options.ts'
import { FAULT_KINDS } from './parts/faults.ts'
import { PLANTS } from './plants.ts'
import { reduce } from './reduce.ts'
import { addRun, newStart } from './seed-runs.ts'
import { shareSeeds } from './share-seeds.ts'
import { catchUnhandled, type SimulationEnd, type SimulationSettings, simulate } from './simulation.ts'
import { resultOf, type SeedResult, Tally } from './tally.ts'
import { VIDEO_PLANTS } from './video-plants.ts'

/** `npm run simulate -- --help` lists the options. */
const values = readOptions(process.argv.slice(2))
if (values.help) {
  write(HELP)
  process.exit(0)
}

const PROGRESS_MS = 10_000
/** A killed run loses the records of this period. */
const RECORD_EVERY_MS = 60_000

/** Maximum number of printed lines of a trace. */
const TRACE_LINES_MAX = 80

const plants = { ...PLANTS, ...VIDEO_PLANTS, ...ASSET_PLANTS }
const makePlant = plants[values.plant] ?? (() => ({}))
if (values.plant !== '' && plants[values.plant] === undefined)
  throw new Error(`there is no plant ${values.plant}; there are ${Object.keys(plants).join(', ')}`)
// Read before the run: files may change while it lasts.
const origin = originOf(`npm run simulate -- ${process.argv.slice(2).join(' ')}`)
const realNowMs = performance.now.bind(performance)
replaceSystem()
catchUnhandled()
process.exitCode = values['tells-parent'] ? await reportToParent() : await runSeeds()

async function runSeeds(): Promise<number> {
  const [count, processes] = [Number(values.new ?? values.seeds), Number(values.processes)]
  const first = values.new === undefined ? Number(values.seed) : startOfNew(count)
  const beganMs = realNowMs()
  const tally = new Tally(first)
  let [toldMs, recordedMs] = [beganMs, beganMs]
  let broken: SeedResult | undefined
  const secondsSoFar = () => (realNowMs() - beganMs) / 1_000
  const record = () => reportRun(tally, { count, seconds: secondsSoFar(), processes })
  const take = (result: SeedResult) => {
    if (result.broken !== undefined && !values['go-on']) {
      broken = result
      throw new Error('a rule is broken')
    }
    if (result.broken !== undefined) tellBroken(result.seed, result.broken.message)
    tally.add(result)
    if (realNowMs() - recordedMs >= RECORD_EVERY_MS) {
      recordedMs = realNowMs()
      record()
    }
    if (realNowMs() - toldMs < PROGRESS_MS) return
    toldMs = realNowMs()
    process.stderr.write(`${tally.seeds} of ${count} seeds, ${tally.faultCount} faults\n`)
  }
  try {
    const stopped = untilSignal()
    if (processes > 1) {
      const share = { program: import.meta.filename, options: runOptions(values), first, count, processes }
      await shareSeeds({ ...share, stopped, onResult: take })
    } else
      for (let seed = first; seed < first + count; seed += 1)
        take(await Promise.race([runOne(seed, count === 1), stopped]))
  } catch (error) {
    record()
    if (broken !== undefined) return tellFailure(settingsOf(broken.seed))
    write(error instanceof Error ? error.message : String(error))
    write(`${tally.seeds} of ${count} seeds from ${first} were run`)
    return 1
  }
  const seconds = secondsSoFar()
  const result = tally.broken.length === 0 ? 'no rule broken' : `${tally.broken.length} seeds broke a rule`
  write(
    `${count} seeds from ${first} in ${seconds.toFixed(1)} s (${(count / seconds).toFixed(1)} a second): ` +
      `${tally.events} events, ${tally.requests} requests, ${tally.faultCount} faults, ${result}`,
  )
  write([...tally.faults].map(([kind, times]) => `${kind} ${times}`).join(', '))
  record()
  if (values.report && values.plant !== '') reportPlant(undefined)
  return tally.broken.length === 0 ? 0 : 1
}

function startOfNew(count: number): number {
  const first = newStart(readRecords().simulator, count, Math.random)
  write(`seeds ${first} to ${first + count - 1}, which no record has`)
  return first
}

/** Rejects when the process is asked to end: finished work is recorded. */
function untilSignal(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => reject(new Error(`stopped by ${signal}`)))
  return promise
}

function tellBroken(seed: number, message: string): void {
  write(`seed ${seed} breaks a rule: ${message}`)
  write(`  ${['npm run simulate --', `--seed ${seed}`, ...runOptions(values)].join(' ')}`)
}

/** A run with a planted bug proves nothing about the gateway, so it is not recorded. */
function reportRun(tally: Tally, run: { count: number; seconds: number; processes: number }): void {
  if (!values.report || values.plant !== '' || tally.seeds === 0) return
  const { firstSeed, seeds, events, requests, broken } = tally
  const range = [`--seed ${firstSeed}`, `--seeds ${seeds}`, `--processes ${run.processes}`]
  const isStopped = values.new !== undefined && seeds < run.count
  keepRecords((records) => {
    records.simulator = addRun(records.simulator, {
      ...origin,
      command: ['npm run simulate --', ...range, ...runOptions(values)].join(' '),
      ...{ firstSeed, seeds, broken, ...(isStopped ? { seedsLeft: run.count - seeds } : {}) },
      ...{ events, requests, virtualSeconds: Math.round(tally.seconds) },
      ...{ realSeconds: Math.round(run.seconds), processes: run.processes },
      faults: Object.fromEntries(tally.faults),
    })
  })
}

function reportPlant(found: { seed: number; rule: string } | undefined): void {
  keepRecords((records) => {
    records.plants[values.plant] = {
      ...origin,
      ...{ foundAtSeed: found?.seed, seedsTried: Number(values.new ?? values.seeds), rule: found?.rule },
    }
  })
}

/** Runs the share of one process among several. */
async function reportToParent(): Promise<number> {
  const [first, count, every] = [Number(values.seed), Number(values.seeds), Number(values.every)]
  for (let place = 0; place < count; place += 1) process.send?.(await runOne(first + place * every, false))
  return 0
}

async function runOne(seed: number, isTold: boolean): Promise<SeedResult> {
  const settings = settingsOf(seed)
  const end = await simulate(settings)
  if (isTold) reportOne(seed, end)
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
    keepsTrace: values.story,
  }
}

function reportOne(seed: number, end: SimulationEnd): void {
  if (values.story) write(end.trace.join('\n'))
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
  const skipped = reduced.end.trace.length - TRACE_LINES_MAX
  write(`reduced in ${reduced.tries} runs to ${reduced.end.events} events; the same run again:`)
  const plant = values.plant === '' ? '' : ` --plant ${values.plant}`
  write(
    `  npm run simulate -- --seed ${settings.seed} --steps ${steps} --organizations ${organizations} ` +
      `--replicas ${replicas} --without ${[...without].join(',')}${plant}${values['text-only'] ? ' --text-only' : ''}`,
  )
  if (skipped > 0) write(`  (${skipped} lines before)`)
  write(reduced.end.trace.slice(-TRACE_LINES_MAX).join('\n'))
  write(reduced.end.violation?.message ?? 'the reduced run breaks no rule')
  return 1
}

function write(line: string): void {
  process.stdout.write(`${line}\n`)
}
