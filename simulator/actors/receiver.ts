import type { SendCallback } from '../../src/ports/callbacks.ts'
import { Violation } from '../books/violation.ts'
import { OUTSIDE, type Owner, type World } from '../kernel/world.ts'
import type { Faults } from '../parts/faults.ts'

const JOURNEY_MS_MAX = 200
const TIMEOUT_MS = 10_000
const ATTEMPTS_MAX = 3
const ENDS = ['succeeded', 'failed', 'cancelled']

/** The clients' servers, which get callbacks: they may refuse, fail, or answer nothing. */
export class Receiver {
  readonly #world: World
  readonly #faults: Faults
  /** Number of deliveries of each task's callback, and whether it was accepted once. */
  readonly #arrived = new Map<string, { count: number; isTaken: boolean }>()

  constructor({ world, faults }: { world: World; faults: Faults }) {
    this.#world = world
    this.#faults = faults
  }

  isTaken(taskId: string): boolean {
    return this.#arrived.get(taskId)?.isTaken === true
  }

  sendFor(owner: Owner): SendCallback {
    return ({ body }) => {
      const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<SendCallback>>>()
      const { random } = this.#faults
      const status = this.#faults.happens('receiver', 0.25) ? random.pick([400, 500, 503]) : 200
      const isSilent = this.#faults.happens('receiver', 0.1)
      this.#world.after(random.whole(0, JOURNEY_MS_MAX), OUTSIDE, 'callback arrives', () => {
        this.#take(body, status)
        this.#world.after(
          isSilent ? TIMEOUT_MS : random.whole(0, JOURNEY_MS_MAX),
          owner,
          'callback answered',
          () =>
            resolve(
              isSilent
                ? { kind: 'failed', word: 'timeout-total', mayBeRepeated: true }
                : { kind: 'answered', status },
            ),
        )
      })
      return promise
    }
  }

  #take(body: string, status: number): void {
    const task: { id: string; status: string } = JSON.parse(body)
    const before = this.#arrived.get(task.id) ?? { count: 0, isTaken: false }
    const count = before.count + 1
    this.#arrived.set(task.id, { count, isTaken: before.isTaken || status === 200 })
    this.#world.trace(
      'receiver',
      `gets callback ${count} of ${task.id.slice(-6)}: ${task.status}, answers ${status}`,
    )
    if (count > ATTEMPTS_MAX)
      throw new Violation('callbacks', `the callback of ${task.id} arrived ${count} times`)
    if (!ENDS.includes(task.status))
      throw new Violation('callbacks', `a callback says that ${task.id} is ${task.status}`)
  }
}
