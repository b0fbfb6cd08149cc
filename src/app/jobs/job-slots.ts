export interface Job {
  key: string
  organizationId: string
}

export interface SlotOptions<J extends Job> {
  slots: number
  slotsEach: number
  /** Never rejects. */
  run(job: J): Promise<void>
  /** Called when a job has ended, and the next waiting one has begun. */
  onEnd?(): void
}

interface JobShare<J extends Job> {
  organizationId: string
  waiting: Map<string, J>
  running: number
}

/**
 * Runs a bounded number of jobs at a time, and one at a time for each key. A free slot goes to the organization with the
 * fewest running jobs, in turn. An organization has at most `slotsEach` running jobs, so hanging jobs leave slots free.
 */
export class JobSlots<J extends Job> {
  readonly #shares = new Map<string, JobShare<J>>()
  readonly #running = new Map<string, { job: J; end: Promise<void> }>()
  readonly #options: SlotOptions<J>
  #waiting = 0

  constructor(options: SlotOptions<J>) {
    this.#options = options
  }

  /** Replaces a waiting job with the same key. `fill` begins it. */
  add(job: J): void {
    const { organizationId } = job
    const share = this.#shares.get(organizationId) ?? { organizationId, waiting: new Map(), running: 0 }
    if (!share.waiting.has(job.key)) this.#waiting += 1
    share.waiting.set(job.key, job)
    this.#shares.set(organizationId, share)
  }

  fill(): void {
    const { slots, run, onEnd } = this.#options
    while (this.#running.size < slots) {
      const next = this.#takeNext()
      if (next === undefined) return
      const { share, job } = next
      share.running += 1
      const end = run(job).then(() => {
        this.#running.delete(job.key)
        share.running -= 1
        this.#forgetWhenEmpty(share)
        this.fill()
        onEnd?.()
      })
      this.#running.set(job.key, { job, end })
    }
  }

  get waiting(): number {
    return this.#waiting
  }

  get inHand(): number {
    return this.#waiting + this.#running.size
  }

  running(): J[] {
    return [...this.#running.values()].map(({ job }) => job)
  }

  waitingOf(organizationId: string): ReadonlyMap<string, J> | undefined {
    return this.#shares.get(organizationId)?.waiting
  }

  countInHand(): Record<string, number> {
    const counts = this.#shares.values().map((share) => [share.organizationId, inHandOf(share)] as const)
    return Object.fromEntries(counts)
  }

  hasShareOf(count: number): boolean {
    return this.#shares.values().some((share) => inHandOf(share) >= count)
  }

  takeWaiting(isWanted: (job: J) => boolean = () => true): J[] {
    const taken: J[] = []
    for (const share of this.#shares.values()) {
      for (const job of share.waiting.values()) {
        if (!isWanted(job)) continue
        share.waiting.delete(job.key)
        taken.push(job)
      }
      this.#forgetWhenEmpty(share)
    }
    this.#waiting -= taken.length
    return taken
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values().map(({ end }) => end))
  }

  /** Takes the oldest job that may begin, of the organization with the fewest running jobs. */
  #takeNext(): { share: JobShare<J>; job: J } | undefined {
    let chosen: { share: JobShare<J>; job: J } | undefined
    for (const share of this.#shares.values()) {
      if (share.running >= (chosen?.share.running ?? this.#options.slotsEach)) continue
      const job = share.waiting.values().find(({ key }) => !this.#running.has(key))
      if (job !== undefined) chosen = { share, job }
    }
    if (chosen === undefined) return undefined
    const { share } = chosen
    share.waiting.delete(chosen.job.key)
    this.#waiting -= 1
    this.#shares.delete(share.organizationId)
    this.#shares.set(share.organizationId, share)
    return chosen
  }

  #forgetWhenEmpty(share: JobShare<J>): void {
    if (inHandOf(share) === 0) this.#shares.delete(share.organizationId)
  }
}

function inHandOf({ waiting, running }: { waiting: ReadonlyMap<string, unknown>; running: number }): number {
  return waiting.size + running
}
