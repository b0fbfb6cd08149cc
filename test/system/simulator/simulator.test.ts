import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../simulator/kernel/random.ts'
import { drawsOf } from '../../random/full-run.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'

const RUN = fileURLToPath(new URL('../../../simulator/run.ts', import.meta.url))
const TIME_MAX_MS = 1_200_000
/** The seeds are the same in every run: `npm run simulate -- --new 2000` takes others. */
const SEEDS = drawsOf({ quick: 60, rest: 60, whole: 1_000 })
/** Steps of a run, fewer than by default. */
const STEPS = '1700'
/** One planted bug for each kind of books; others are tested by hand. */
const PLANTS = [
  'keys-billed-as-hang-ups',
  'settle-after-cancel',
  'double-refund',
  'lost-release',
  'erased-asset-used',
  'foreign-conversation',
  'foreign-kept-reply',
]

/** Seeds that broke a rule once, with the options of then. */
const ONCE_BROKEN = [
  // A vendor denied a call that it had accepted, its answer was lost with a replica, and a notice adopted the task.
  ['--seed', '20540'],
  ['--seed', '900078'],
  // A stand-in succeeded after the deadline of its task.
  ['--seed', '471172338'],
  // A replica's clock jumped over midnight.
  ['--seed', '30553', '--without', 'denied-submission'],
]

/** Runs the simulator in its own process, because it replaces the timers of its process. */
function simulate(...options: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [RUN, ...options], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, output: stdout + stderr })
    })
  })
}

describe('the simulator', () => {
  test('10,000 seeds give 10,000 rows of random numbers', () => {
    const rows = Array.from({ length: 10_000 }, (_, seed) => {
      const random = createRandom(seed).branch('faults')
      return `${random.fraction()} ${random.fraction()}`
    })
    expect(new Set(rows).size).toBe(10_000)
  })

  test(
    `${SEEDS} seeds break no rule and give ${SEEDS} traces`,
    async () => {
      const first = ['--seed', `${seedOfRun()}`]
      const size = ['--seeds', `${SEEDS}`, '--steps', STEPS, '--processes', '2']
      const { code, output } = await simulate(...first, ...size)
      expect(output).toContain(`${SEEDS} seeds from ${seedOfRun()}`)
      expect(output).toContain('no rule broken')
      expect(code).toBe(0)
    },
    TIME_MAX_MS,
  )

  test.each(ONCE_BROKEN)(
    'breaks no rule with %s %s',
    async (...options) => {
      const { code, output } = await simulate(...options)
      expect(output).toContain('no rule broken')
      expect(code).toBe(0)
    },
    TIME_MAX_MS,
  )

  test(
    'a seed gives the same trace twice, within a process and in another',
    async () => {
      const [first, second] = [await simulate('--seed', '7', '--twice'), await simulate('--seed', '7')]
      expect(first.code).toBe(0)
      expect(first.output).toMatch(/trace \w+/)
      expect(first.output.match(/trace \w+/)?.[0]).toBe(second.output.match(/trace \w+/)?.[0])
    },
    TIME_MAX_MS,
  )

  test(
    'with --go-on every seed that breaks a rule is printed with its command',
    async () => {
      const { code, output } = await simulate('--seeds', '6', '--plant', 'usage-lost', '--go-on')
      const broken = [...output.matchAll(/^seed (\d) breaks a rule: not-charged/gm)].map(([, seed]) => seed)
      // A seed whose requests are all refused loses no usage.
      expect(broken.length).toBeGreaterThan(1)
      for (const seed of broken)
        expect(output).toContain(`  npm run simulate -- --seed ${seed} --plant usage-lost\n`)
      expect(output).toContain(`${broken.length} seeds broke a rule`)
      expect(code).toBe(1)
    },
    TIME_MAX_MS,
  )

  test('--help lists every option', async () => {
    const { code, output } = await simulate('--help')
    for (const option of ['--new N', '--go-on', '--report', '--without KIND,KIND'])
      expect(output).toContain(option)
    expect(code).toBe(0)
  })

  test.each(PLANTS)(
    'finds the planted bug %s within 200 seeds',
    async (name) => {
      const { code, output } = await simulate('--seeds', '200', '--plant', name, '--no-reduce')
      expect(output).toContain('breaks a rule')
      expect(code).toBe(1)
    },
    TIME_MAX_MS,
  )
})
