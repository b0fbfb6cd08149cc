import { parseArgs } from 'node:util'
import { replaceSystem } from './kernel/replace-system.ts'
import { FAULT_KINDS, type FaultKind } from './parts/faults.ts'
import { PLANTS, VIDEO_PLANTS } from './plants.ts'
import { reduce } from './reduce.ts'
import { catchUnhandled, type SimulationEnd, type SimulationSettings, simulate } from './simulation.ts'

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
  },
})

/** Lines of a story that are shown. */
const STORY_LINES_MAX = 80

const plants = { ...PLANTS, ...VIDEO_PLANTS }
const makePlant = plants[values.plant] ?? (() => ({}))
if (values.plant !== '' && plants[values.plant] === undefined)
  throw new Error(`there is no plant ${values.plant}; there are ${Object.keys(plants).join(', ')}`)
const realNowMs = performance.now.bind(performance)
replaceSystem()
catchUnhandled()
process.exitCode = await runSeeds()

async function runSeeds(): Promise<number> {
  const [first, count] = [Number(values.seed), Number(values.seeds)]
  const beganMs = realNowMs()
  const faults = new Map<FaultKind, number>()
  const total = { events: 0, requests: 0 }
  const seedsByTrace = new Map<string, number>()
  for (let seed = first; seed < first + count; seed += 1) {
    const settings = settingsOf(seed)
    const end = await simulate(settings)
    for (const [kind, times] of end.faults) faults.set(kind, (faults.get(kind) ?? 0) + times)
    total.events += end.events
    total.requests += end.requests
    if (count === 1) tellOne(seed, end)
    if (values.twice && !(await isSameAgain(settings, end))) return 1
    if (end.violation !== undefined) return tellFailure(settings, end)
    const twin = seedsByTrace.get(end.digest)
    if (twin !== undefined) {
      write(`seeds ${twin} and ${seed} gave one trace ${end.digest}: the seed decides nothing`)
      return 1
    }
    seedsByTrace.set(end.digest, seed)
  }
  const seconds = (realNowMs() - beganMs) / 1_000
  const injected = [...faults.values()].reduce((sum, times) => sum + times, 0)
  write(
    `${count} seeds from ${first} in ${seconds.toFixed(1)} s (${(count / seconds).toFixed(1)} a second): ` +
      `${total.events} events, ${total.requests} requests, ${injected} faults, no rule broken`,
  )
  write([...faults].map(([kind, times]) => `${kind} ${times}`).join(', '))
  return 0
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

async function isSameAgain(settings: SimulationSettings, end: SimulationEnd): Promise<boolean> {
  const again = await simulate({ ...settings, plant: makePlant() })
  const isSame = again.digest === end.digest
  if (!isSame) write(`seed ${settings.seed} gave two traces: ${end.digest} and ${again.digest}`)
  return isSame
}

async function tellFailure(settings: SimulationSettings, end: SimulationEnd): Promise<number> {
  write(`seed ${settings.seed} breaks a rule after ${end.events} events: ${end.violation?.message}`)
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
