import type { SimulationEnd } from './simulation.ts'

/** Result of one seed, also sent from one process to another. */
export interface SeedResult {
  seed: number
  digest: string
  events: number
  requests: number
  seconds: number
  faults: Record<string, number>
  /** undefined: no rule was broken. */
  broken: { rule: string; message: string } | undefined
}

export function resultOf(seed: number, end: SimulationEnd): SeedResult {
  const { digest, events, requests, seconds, faults, violation } = end
  return {
    ...{ seed, digest, events, requests, seconds },
    faults: Object.fromEntries(faults),
    broken: violation && { rule: violation.rule, message: violation.message },
  }
}

/**
 * The sums of many seeds. Results of several processes come in any order, and are counted in the order of the seeds: a
 * stopped run has run all seeds up to its last one.
 */
export class Tally {
  readonly firstSeed: number
  seeds = 0
  events = 0
  requests = 0
  /** Seconds of virtual time. */
  seconds = 0
  readonly faults = new Map<string, number>()
  readonly broken: { seed: number; rule: string }[] = []
  readonly #waiting = new Map<number, SeedResult>()
  readonly #seedsByTrace = new Map<string, number>()

  constructor(firstSeed: number) {
    this.firstSeed = firstSeed
  }

  add(result: SeedResult): void {
    const { seed, digest } = result
    const twin = this.#seedsByTrace.get(digest)
    if (twin !== undefined)
      throw new Error(`seeds ${twin} and ${seed} gave one trace ${digest}: the seed decides nothing`)
    this.#seedsByTrace.set(digest, seed)
    this.#waiting.set(seed, result)
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) this.#count(next)
  }

  get faultCount(): number {
    return [...this.faults.values()].reduce((sum, times) => sum + times, 0)
  }

  #takeNext(): SeedResult | undefined {
    const seed = this.firstSeed + this.seeds
    const next = this.#waiting.get(seed)
    this.#waiting.delete(seed)
    return next
  }

  #count({ seed, events, requests, seconds, faults, broken }: SeedResult): void {
    this.seeds += 1
    this.events += events
    this.requests += requests
    this.seconds += seconds
    for (const [kind, times] of Object.entries(faults))
      this.faults.set(kind, (this.faults.get(kind) ?? 0) + times)
    if (broken !== undefined) this.broken.push({ seed, rule: broken.rule })
  }
}
