import type { SimulationEnd } from './simulation.ts'

/** What is told of one seed, also from one process to another. */
export interface SeedResult {
  seed: number
  digest: string
  events: number
  requests: number
  seconds: number
  faults: Record<string, number>
  /** undefined: no rule was broken. */
  broken: string | undefined
}

export function resultOf(seed: number, end: SimulationEnd): SeedResult {
  const { digest, events, requests, seconds, faults, violation } = end
  return {
    ...{ seed, digest, events, requests, seconds },
    faults: Object.fromEntries(faults),
    broken: violation?.message,
  }
}

/** The sums of many seeds. */
export class Tally {
  seeds = 0
  events = 0
  requests = 0
  /** Of virtual time. */
  seconds = 0
  readonly faults = new Map<string, number>()
  readonly #seedsByTrace = new Map<string, number>()

  add({ seed, digest, events, requests, seconds, faults }: SeedResult): void {
    const twin = this.#seedsByTrace.get(digest)
    if (twin !== undefined)
      throw new Error(`seeds ${twin} and ${seed} gave one trace ${digest}: the seed decides nothing`)
    this.#seedsByTrace.set(digest, seed)
    this.seeds += 1
    this.events += events
    this.requests += requests
    this.seconds += seconds
    for (const [kind, times] of Object.entries(faults))
      this.faults.set(kind, (this.faults.get(kind) ?? 0) + times)
  }

  get faultCount(): number {
    return [...this.faults.values()].reduce((sum, times) => sum + times, 0)
  }
}
