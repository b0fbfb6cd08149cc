import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'
import type { Event } from './event-queue.ts'
import type { Owner, World } from './world.ts'

/** The world whose time the timers of this process follow. */
let world: World | undefined

export function setWorld(next: World): void {
  world = next
}

/**
 * Puts virtual timers and the seed's random bytes in place of those of the system, for everything that is loaded in this
 * process. A timer belongs to the replica whose code started it, and is gone with it.
 */
export function replaceSystem(): void {
  Object.assign(globalThis, {
    setTimeout: (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
      new VirtualTimer(() => run(...args), { ms, repeats: false }),
    setInterval: (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
      new VirtualTimer(() => run(...args), { ms, repeats: true }),
    setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) =>
      new VirtualTimer(() => run(...args), { ms: 0, repeats: false }),
    clearTimeout: stop,
    clearInterval: stop,
    clearImmediate: stop,
  })
  Object.assign(timersPromises, {
    setTimeout: (ms: number, value: unknown) =>
      new Promise((resolve) => new VirtualTimer(() => resolve(value), { ms, repeats: false })),
  })
  Object.assign(crypto, {
    randomBytes: (size: number) => theWorld().random.bytes(size),
    randomUUID: () => theWorld().random.bytes(16).toString('hex'),
  })
  syncBuiltinESMExports()
}

class VirtualTimer {
  readonly #run: () => void
  readonly #ms: number
  readonly #repeats: boolean
  readonly #owner: Owner
  #event: Event

  constructor(run: () => void, { ms, repeats }: { ms: number; repeats: boolean }) {
    this.#run = run
    this.#ms = ms
    this.#repeats = repeats
    this.#owner = theWorld().current
    this.#event = this.#start()
  }

  #start(): Event {
    return theWorld().after(this.#ms, this.#owner, `${this.#owner.name} timer`, () => {
      if (this.#repeats) this.#event = this.#start()
      this.#run()
    })
  }

  stop(): void {
    this.#event.isCancelled = true
  }

  refresh(): this {
    this.stop()
    this.#event = this.#start()
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return false
  }
}

function stop(timer: unknown): void {
  if (timer instanceof VirtualTimer) timer.stop()
}

function theWorld(): World {
  if (world === undefined) throw new Error('no world runs')
  return world
}
