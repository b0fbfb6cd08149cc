import { createOwnerSlots } from '../owner-slots.ts'
import type { ReplyName, ReplyShelf } from './reply-shelf.ts'

/** More would be one organization's way to hold every connection to a provider. */
const BACKGROUND_PER_ORGANIZATION_MAX = 32

/** One of them. */
export interface RunningReply {
  /** Resolves when its end is on the shelf. */
  readonly ended: Promise<void>
  /** Ends its call; it is cancelled unless its vendor ends it well while the call waits for the count. */
  cancel(): void
  /** Ends it at once. Resolves when nothing more is written of it. */
  drop(): Promise<void>
}

/** The kept replies that this process runs. */
export interface RunningReplies {
  readonly count: number
  add(name: ReplyName, reply: RunningReply): void
  /** Also wakes those who wait for it. */
  remove(name: ReplyName): void
  find(name: ReplyName): RunningReply | undefined
  /** Tells those who read along that there is more to read. */
  wake(name: ReplyName): void
  /** Resolves at the next `wake`, or after `ms`. */
  wait(name: ReplyName, ms: number): Promise<void>
  /** Puts off their leases, and looks whether another replica was asked to stop one. */
  renew(): Promise<void>
  /** A slot for a background reply, given back by calling it; undefined when the organization has all of its slots. */
  takeSlot(organizationId: string): (() => void) | undefined
  /** Resolves when no reply runs any more. */
  idle(): Promise<void>
}

export function createRunningReplies({ shelf }: { shelf: ReplyShelf }): RunningReplies {
  const running = new Map<string, { name: ReplyName; reply: RunningReply }>()
  const waiting = new Map<string, Set<() => void>>()
  const slots = createOwnerSlots({ perOwnerMax: BACKGROUND_PER_ORGANIZATION_MAX })

  function wake(name: ReplyName): void {
    for (const listener of waiting.get(keyOf(name)) ?? []) listener()
  }

  return {
    get count() {
      return running.size
    },
    add(name, reply) {
      running.set(keyOf(name), { name, reply })
    },
    remove(name) {
      running.delete(keyOf(name))
      wake(name)
    },
    find: (name) => running.get(keyOf(name))?.reply,
    wake,
    wait(name, ms) {
      const key = keyOf(name)
      const listeners = waiting.get(key) ?? new Set()
      waiting.set(key, listeners)
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer)
          listeners.delete(done)
          if (listeners.size === 0 && waiting.get(key) === listeners) waiting.delete(key)
          resolve()
        }
        const timer = setTimeout(done, ms)
        listeners.add(done)
      })
    },
    async renew() {
      await Promise.all(
        [...running.values()].map(async ({ name, reply }) => {
          await shelf.renew(name)
          const wish = await shelf.findStopWish(name)
          if (wish === 'cancel') reply.cancel()
          if (wish !== 'delete') return
          await reply.drop()
          await shelf.remove(name)
        }),
      )
    },
    takeSlot: (organizationId) => slots.take(organizationId),
    async idle() {
      await Promise.all([...running.values()].map(({ reply }) => reply.ended))
    },
  }
}

function keyOf({ organizationId, id }: ReplyName): string {
  return `${organizationId} ${id}`
}
