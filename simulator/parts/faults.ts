import type { Random } from '../kernel/random.ts'
import type { World } from '../kernel/world.ts'

/** Everything that the seed may do to a run; `--without` takes kinds away. */
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

/** How often each fault was injected, and whether faults are injected at all. */
export interface Faults {
  /** True when this fault happens now. Each one that happens is counted. */
  happens(kind: FaultKind, probability: number): boolean
  readonly counts: ReadonlyMap<FaultKind, number>
  readonly random: Random
  /** From here on nothing goes wrong any more: what is still open has to end. */
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
