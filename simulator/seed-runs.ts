import type { SimulatorRun } from '../reliability/page.ts'

/** Random seeds are below this number, so that commands stay short. */
const SEED_MAX = 1_000_000_000
/** A random range starts one above a multiple of this, so that ranges are easy to read. */
const START_STEP = 1_000
const TRIES_MAX = 10_000

type SeedRange = Pick<SimulatorRun, 'firstSeed' | 'seeds'>

/**
 * First seed of a range that no record has: after a run that was stopped before its end, else a random one.
 * `fraction` is random, at least 0 and below 1.
 */
export function newStart(runs: readonly SimulatorRun[], count: number, fraction: () => number): number {
  const stopped = runs.findLast(({ seedsLeft }) => seedsLeft !== undefined)
  if (stopped !== undefined && isNew(runs, { firstSeed: endOf(stopped), seeds: count })) return endOf(stopped)
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const firstSeed = START_STEP * Math.floor((fraction() * SEED_MAX) / START_STEP) + 1
    if (isNew(runs, { firstSeed, seeds: count })) return firstSeed
  }
  throw new Error(`there are no ${count} seeds in a row that no record has`)
}

/**
 * Adds a run, and sorts the runs by their seeds. A run replaces the runs whose seeds it includes. A run within another run
 * adds no seeds: it only updates the seeds that broke a rule there.
 */
export function addRun(runs: readonly SimulatorRun[], run: SimulatorRun): SimulatorRun[] {
  const others = runs
    .filter((other) => !isWithin(other, run))
    .map((other) => ({ ...other, broken: other.broken.map((one) => lookedAtAgain(one, run)) }))
    .map((other) => (endOf(other) === run.firstSeed ? withoutRest(other) : other))
  const added = others.some((other) => isWithin(run, other)) ? others : [...others, run]
  return added.toSorted((a, b) => a.firstSeed - b.firstSeed)
}

function lookedAtAgain(one: SimulatorRun['broken'][number], run: SimulatorRun): typeof one {
  const isAgain = isWithin({ firstSeed: one.seed, seeds: 1 }, run)
  if (!isAgain || run.broken.some(({ seed }) => seed === one.seed)) return one
  return { ...one, holdsSince: run.commit }
}

function withoutRest({ seedsLeft: _, ...run }: SimulatorRun): SimulatorRun {
  return run
}

function isNew(runs: readonly SimulatorRun[], wanted: SeedRange): boolean {
  return runs.every((run) => endOf(wanted) <= run.firstSeed || endOf(run) <= wanted.firstSeed)
}

function isWithin(inner: SeedRange, outer: SeedRange): boolean {
  return inner.firstSeed >= outer.firstSeed && endOf(inner) <= endOf(outer)
}

/** The first seed after the range. */
function endOf({ firstSeed, seeds }: SeedRange): number {
  return firstSeed + seeds
}
