import type { Random } from '../kernel/random.ts'
import type { World } from '../kernel/world.ts'

/** All kinds of faults; `--without` removes some. */
export const FAULT_KINDS = [
  'crash',
  'restart',
  'store-outage',
  'cache-outage',
  'cache-flush',
  'lost-answer',
  'slow-call',
  'clock-jump',
  'vendor-error',
  'vendor-silence',
  'vendor-cut',
  'lost-submission',
  'denied-submission',
  'late-success',
  'hang-up',
  'retry',
  'slow-reader',
  'price-change',
  'limit-change',
  'credit',
  'refund',
  'delete',
  'notice',
  'receiver',
  'budget-change',
  'stand-in-change',
  'erasure',
] as const

export type FaultKind = (typeof FAULT_KINDS)[number]

/** Counts the injected faults, and tells whether faults are injected at all. */
export interface Faults {
  /** Returns whether this fault happens now, and counts it. */
  happens(kind: FaultKind, probability: number): boolean
  readonly counts: ReadonlyMap<FaultKind, number>
  readonly random: Random
  /** Ends all faults: open work has to end. */
  stop(): void
  readonly areOver: boolean
}

export function createFaults(world: World, without: ReadonlySet<FaultKind>): Faults {
  const random = world.random.branch('faults')
  const counts = new Map<FaultKind, number>()
  let areOver = false
  return {
    random,
    counts,
    happens(kind, probability) {
      const isDrawn = random.chance(probability)
      if (!isDrawn || areOver || without.has(kind)) return false
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      return true
    },
    stop() {
      areOver = true
    },
    get areOver() {
      return areOver
    },
  }
}
