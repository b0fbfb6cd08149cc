import { parseArgs } from 'node:util'

export const HELP = `npm run simulate -- [options]

Runs the application in virtual time, with faults that the seed decides, and checks it against accounts of its own.
The exit code is 1 when a rule is broken. See simulator/README.md.

Which seeds
  --seed N              the first seed (1)
  --seeds N             how many seeds, one after the other (1)
  --new N               N seeds that no record has: from a random start, or from where a recorded run stopped
  --processes N         how many processes share them (1)
  --go-on               a seed that breaks a rule is printed, and the run goes on with the next one

What a run is
  --steps N             events with faults (2000)
  --replicas N          gateways (2)
  --organizations N     organizations with a user, a key and clients (3)
  --without KIND,KIND   kinds of faults that do not happen
  --text-only           no videos and no assets
  --plant NAME          a bug that is put in on purpose

What is printed
  --report              writes the run into reliability/records.json and docs/reliability.md, also when it is stopped
  --story               the timeline of a single seed
  --no-reduce           a seed that breaks a rule is not made shorter
  --twice               runs each seed twice, and requires the same trace
  --help                this text`

/** Defaults of the options that define a run. */
const DEFAULTS = { steps: '2000', replicas: '2', organizations: '3', without: '', plant: '' } as const
const NAMES = ['steps', 'replicas', 'organizations', 'without', 'plant'] as const

export type Options = ReturnType<typeof readOptions>

export function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      seeds: { type: 'string', default: '1' },
      new: { type: 'string' },
      'go-on': { type: 'boolean', default: false },
      steps: { type: 'string', default: DEFAULTS.steps },
      replicas: { type: 'string', default: DEFAULTS.replicas },
      organizations: { type: 'string', default: DEFAULTS.organizations },
      without: { type: 'string', default: DEFAULTS.without },
      plant: { type: 'string', default: DEFAULTS.plant },
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
  return values
}

/** Options that differ from the defaults, for another process and for the command that runs a seed again. */
export function runOptions(values: Options): string[] {
  const given = NAMES.filter((name) => values[name] !== DEFAULTS[name])
  return [
    ...given.flatMap((name) => [`--${name}`, values[name]]),
    ...(values['text-only'] ? ['--text-only'] : []),
  ]
}
