import type { Random } from '../kernel/random.ts'
import { OUTSIDE, type Owner, type World } from '../kernel/world.ts'
import type { Faults } from './faults.ts'
import { type Replica, type Surroundings, startReplica } from './replica.ts'

/** Work that ends with its replica. */
interface Ending {
  reset(): void
}

const RESTART_MS_MAX = 6_000
const START_AGAIN_MS = 1_000

/** The replicas that run now. Crashes and restarts happen here. */
export class Deployment {
  /** Errors that the application threw unintentionally. */
  readonly faultsSeen: unknown[] = []
  readonly #world: World
  readonly #faults: Faults
  readonly #surroundings: Surroundings
  readonly #random: Random
  readonly #slots: (Replica | undefined)[]
  readonly #connections = new Map<Owner, Set<Ending>>()
  #starts = 0

  constructor({
    world,
    faults,
    surroundings,
    size,
  }: {
    world: World
    faults: Faults
    surroundings: Surroundings
    size: number
  }) {
    this.#world = world
    this.#faults = faults
    this.#surroundings = surroundings
    this.#random = world.random.branch('deployment')
    this.#slots = Array.from({ length: size }, () => undefined)
    for (const slot of this.#slots.keys()) this.#start(slot)
  }

  get replicas(): Replica[] {
    return this.#slots.filter((replica) => replica !== undefined)
  }

  get isComplete(): boolean {
    return this.replicas.length === this.#slots.length
  }

  /** Picks a replica as a load balancer would; undefined while all of them are down. */
  pick(random: Random): Replica | undefined {
    const { replicas } = this
    return replicas.length === 0 ? undefined : random.pick(replicas)
  }

  opened(owner: Owner, connection: Ending): void {
    const all = this.#connections.get(owner) ?? new Set()
    this.#connections.set(owner, all.add(connection))
  }

  fault(owner: Owner, error: unknown): void {
    this.#world.trace(owner.name, `throws ${error instanceof Error ? error.message : String(error)}`)
    this.faultsSeen.push(error)
  }

  /** Sends a signal to end: no new requests come, and running work is finished or returned before the process ends. */
  endWell(): void {
    const slot = this.#random.whole(0, this.#slots.length - 1)
    const replica = this.#slots[slot]
    if (replica === undefined) return
    const { owner } = replica
    this.#world.trace(owner.name, 'is asked to end')
    this.#slots[slot] = undefined
    const gone = () => {
      if (!owner.isAlive) return
      this.#world.trace(owner.name, 'has ended')
      this.#end(owner, slot)
    }
    this.#world.after(0, owner, 'end', () => void replica.close().then(gone, gone))
  }

  /** A replica ends between two steps of its work; another takes its place after a while. */
  crash(): void {
    const slot = this.#random.whole(0, this.#slots.length - 1)
    const replica = this.#slots[slot]
    if (replica === undefined) return
    this.#world.trace(replica.owner.name, 'crashes')
    this.#slots[slot] = undefined
    this.#end(replica.owner, slot)
  }

  #end(owner: Owner, slot: number): void {
    owner.isAlive = false
    for (const connection of this.#connections.get(owner) ?? []) connection.reset()
    this.#connections.delete(owner)
    this.#world.after(this.#random.whole(100, RESTART_MS_MAX), OUTSIDE, 'restart', () => this.#start(slot))
  }

  #start(slot: number): void {
    this.#starts += 1
    const owner: Owner = {
      name: `replica ${slot + 1}${this.#starts > this.#slots.length ? `.${this.#starts}` : ''}`,
      isAlive: true,
    }
    this.#world.after(0, owner, `start ${owner.name}`, () => {
      startReplica(owner, this.#surroundings).then(
        (replica) => {
          this.#world.trace(owner.name, 'serves')
          this.#slots[slot] = replica
          this.#surroundings.started()
        },
        () => {
          owner.isAlive = false
          this.#world.after(START_AGAIN_MS, OUTSIDE, 'restart', () => this.#start(slot))
        },
      )
    })
  }

  /** Once in a while a replica, the store or the cache fails. */
  trouble(): void {
    const { gates, cache } = this.#surroundings
    if (this.#faults.happens('crash', 0.12)) this.crash()
    if (this.#faults.happens('restart', 0.05)) this.endWell()
    if (this.#faults.happens('cache-flush', 0.03)) cache.flush()
    for (const [name, gate, kind] of [
      ['store', gates.store, 'store-outage'],
      ['cache', gates.cache, 'cache-outage'],
    ] as const) {
      if (!gate.isUp || !this.#faults.happens(kind, 0.04)) continue
      const lastsMs = this.#random.whole(200, 12_000)
      this.#world.trace(name, `is unreachable for ${lastsMs} ms`)
      gate.isUp = false
      this.#surroundings.outage(name, lastsMs)
      this.#world.after(lastsMs, OUTSIDE, `${name} is back`, () => {
        gate.isUp = true
      })
    }
  }
}
