import { ApiError } from '../../src/domain/api-error.ts'
import type { Random } from '../kernel/random.ts'
import { OUTSIDE, type World } from '../kernel/world.ts'
import type { Deployment } from '../parts/deployment.ts'
import type { Faults } from '../parts/faults.ts'
import type { Replica } from '../parts/replica.ts'

/** A key and its owner. */
export interface ClientIdentity {
  organizationId: string
  userId: string
  keyId: string
  key: string
}

export interface ClientParts {
  world: World
  faults: Faults
  deployment: Deployment
  who: ClientIdentity
  /** Number of its tenant, from 1. */
  number: number
}

const JOURNEY_MS_MAX = 20

/** A program of a customer: it has a key, and sends requests to any replica. */
export class Client {
  protected readonly world: World
  protected readonly faults: Faults
  protected readonly deployment: Deployment
  protected readonly random: Random
  protected readonly who: ClientIdentity
  protected readonly number: number
  readonly #name: string

  constructor(
    { world, faults, deployment, who, number }: ClientParts,
    { kind, mark }: { kind: string; mark: string },
  ) {
    this.world = world
    this.faults = faults
    this.deployment = deployment
    this.who = who
    this.number = number
    this.random = world.random.branch(`${kind} client ${number}`)
    this.#name = `client ${mark}${number}`
  }

  /** Rejects with the error that the client sees: the replica's error, or no answer because the replica crashed. */
  protected ask<T>(what: string, act: (replica: Replica) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const replica = this.deployment.pick(this.random)
    if (replica === undefined) return Promise.reject(new Error('no replica'))
    const { owner } = replica
    const hears = (settle: () => void) => this.later(this.random.whole(0, JOURNEY_MS_MAX), settle)
    this.trace(`${what} at ${owner.name}`)
    this.deployment.opened(owner, { reset: () => hears(() => reject(new Error('connection lost'))) })
    this.world.after(this.random.whole(0, JOURNEY_MS_MAX), owner, 'request arrives', () => {
      act(replica).then(
        (value) => hears(() => resolve(value)),
        (error: unknown) => {
          if (!(error instanceof ApiError)) this.deployment.fault(owner, error)
          hears(() => reject(error instanceof Error ? error : new Error(String(error))))
        },
      )
    })
    return promise
  }

  protected trace(what: string): void {
    this.world.trace(this.#name, what)
  }

  protected later(ms: number, run: () => void): void {
    this.world.after(ms, OUTSIDE, this.#name, run)
  }
}
