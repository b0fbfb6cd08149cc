import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// The program sets it too: without it each thread of a store strips and compiles the same sources again.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('./node_modules/.cache/sluice', import.meta.url))

const SEED = 'test/random/settle-seed.ts'
/** Writes the bundle that the processes of the system tier start. */
const BUNDLE = 'test/system/bundle/global-setup.ts'
/** Compares every answer of a gateway with the OpenAPI document. */
const ANSWERS = 'test/conformance/check-answers.ts'
/** PostgreSQL and Redis. */
const SERVERS = 'test/servers/global-setup.ts'

/** Values that the modes pass to the tests: how many random values are tried, and for `npm run faults` every round. */
const ENVIRONMENTS: Readonly<Record<string, Record<string, string>>> = {
  all: { TEST_RUNS: 'all' },
  rest: { TEST_RUNS: 'rest' },
  faults: { TEST_RUNS: 'all', TEST_FAULTS: 'whole' },
}
const MEASURED = 'reliability/measured/*.test.ts'

/** Files that try only a part of their values in `npm test`. */
const SAMPLES = /\b(isFullRun|runs|drawsOf)\(/

/** In a clone no times of earlier runs are known, so these would begin last: they have few lines. */
const LONGEST_FIRST = [
  'simulator',
  'walk',
  'text-stalled-readers',
  'docs-examples',
  'package',
  'failover',
  'acts',
  'video-upstream',
  'naughty',
  'video-races',
  'ledger-property',
  'operate',
  'video-crash',
  'secret-change',
  'event-kills',
  'attacks',
  'readme',
  'customers',
  'engines',
  'planted-secrets',
  'rolling-upgrade',
  'clip-kills',
  'console/demo',
  'random-story',
  'schemas-and-parsers',
  'usage-kills',
  'greedy-neighbour',
  'ledger-crash',
  'copy-faults',
  'store/postgres',
  'admin/tasks',
  'store/sqlite',
  'other-tenants',
  'hang-ups/whole-replies',
  'video-work/sandbox',
  'money/demo',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST_FIRST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return place === -1 ? LONGEST_FIRST.length : place
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

/**
 * `npm test` runs unit, api and engines; `npm run test:all` runs everything, and properties over all their values;
 * `npm run test:rest` runs what `npm test` did not: the other tiers, and what it sampled with every row and other values.
 * Files of a worker share their modules, except in system and sdk-compat: loading them anew for each file took longer
 * than the tests.
 */
export default defineConfig(({ mode }) => ({
  test: {
    environment: 'node',
    // Twice the cores of a small machine: many tests wait for a timer or for another process.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // For what hangs: on a busy machine a test may take ten times as long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    env: ENVIRONMENTS[mode] ?? {},
    projects: [
      tier(
        'unit',
        quick(mode, [
          '{src,packages/*/src,sandbox,simulator,console/src}/**/*.test.ts',
          'test/{conformance,conversion,presets,random,schemas,tidy}/**/*.test.ts',
        ]),
        {
          pool: 'threads',
          isolate: false,
          globalSetup: [SEED],
        },
      ),
      tier('api', quick(mode, ['test/{api,billing-faults}/**/*.test.ts']), {
        pool: 'forks',
        isolate: false,
        globalSetup: [SEED],
        setupFiles: [ANSWERS],
      }),
      tier('engines', quick(mode, ['test/engines/**/*.test.ts', 'test/servers/**/*.test.ts']), {
        pool: 'forks',
        isolate: false,
        globalSetup: [SEED, SERVERS],
      }),
      tier('system', ['test/system/**/*.test.ts'], { pool: 'forks', globalSetup: [SEED, SERVERS, BUNDLE] }),
      tier('sdk-compat', ['test/sdk-compat/**/*.test.ts'], {
        pool: 'forks',
        globalSetup: [SEED],
        setupFiles: [ANSWERS],
      }),
      // They measure, so they run alone and in no tier of CI.
      ...(mode === 'faults'
        ? [tier('measured', [MEASURED], { pool: 'forks', globalSetup: [SEED, SERVERS, BUNDLE] })]
        : []),
    ],
  },
}))

interface Runner {
  pool: 'threads' | 'forks'
  isolate?: boolean
  globalSetup: string[]
  setupFiles?: string[]
}

function tier(name: string, include: string[], runner: Runner) {
  return { extends: true as const, test: { name, include, ...runner } }
}

/** Chooses the files that this mode runs among the files of `npm test`. */
function quick(mode: string, include: string[]): string[] {
  if (mode !== 'rest') return include
  return globSync(include).filter((file) => SAMPLES.test(readFileSync(file, 'utf8')))
}
