import { OUTSIDE, type Owner, type World } from '../kernel/world.ts'
import type { Faults } from './faults.ts'

/** An engine that replicas reach over the network. */
export interface Gate {
  /** False while no replica reaches it. */
  isUp: boolean
  /** Calls the engine for a replica. A replica that has crashed meanwhile never gets the answer. */
  call<T>(owner: Owner, name: string, act: () => Promise<T>): Promise<T>
}

const USUAL_MS_MAX = 4
const SLOW_MS_MAX = 900
/** A connection that broke is noticed late. */
const NOTICED_MS_MAX = 400

/**
 * Every call has two journeys. A lost call has done nothing; a lost answer belongs to a call that has done its work. A
 * crash of the caller may come between any two steps.
 */
export function createGate({
  world,
  faults,
  engine,
  lost,
}: {
  world: World
  faults: Faults
  engine: 'store' | 'cache'
  /** The caller's error when no answer comes. */
  lost(): Error
}): Gate {
  const random = world.random.branch(engine)
  const journeyMs = () =>
    faults.happens('slow-call', 0.01) ? random.whole(50, SLOW_MS_MAX) : random.fraction() * USUAL_MS_MAX

  const gate: Gate = {
    isUp: true,
    call<T>(owner: Owner, name: string, act: () => Promise<T>) {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const fail = () =>
        world.after(random.whole(1, NOTICED_MS_MAX), owner, `${owner.name} lost ${name}`, () =>
          reject(lost()),
        )
      const answer = (settle: () => void) => {
        if (!gate.isUp || faults.happens('lost-answer', 0.004)) {
          world.trace(owner.name, `does not hear what became of ${name}`)
          fail()
        } else world.after(journeyMs(), owner, `${owner.name} hears ${name}`, settle)
      }
      world.after(journeyMs(), OUTSIDE, `${engine} ${name} of ${owner.name}`, () => {
        if (!gate.isUp) fail()
        else
          act().then(
            (value) => answer(() => resolve(value)),
            (error: unknown) => answer(() => reject(error)),
          )
      })
      return promise
    },
  }
  return gate
}
