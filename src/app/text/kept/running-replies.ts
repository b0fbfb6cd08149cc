import { createOwnerSlots } from '../../limits/owner-slots.ts'
import type { ReplyName, ReplyStore } from './reply-store.ts'

/** Maximum background replies of an organization. With more, it could hold every connection to a provider. */
const BACKGROUND_PER_ORGANIZATION_MAX = 32

export interface RunningReply {
  /** Resolves when its end is in the store. */
  readonly ended: Promise<void>
  /** Ends the vendor call. The reply is cancelled, unless the vendor completes it while the call waits for the usage. */
  cancel(): void
  /** Ends the reply immediately. Resolves when nothing more of it is written, and a requested removal is done. */
  drop(): Promise<void>
}

export interface RunningReplies {
  readonly count: number
  add(name: ReplyName, reply: RunningReply): void
  /** Removes a reply and wakes its readers. */
  remove(name: ReplyName): void
  find(name: ReplyName): RunningReply | undefined
  /** Wakes readers of the reply, for which there is more to read. */
  wake(name: ReplyName): void
  /** Resolves at the next `wake`, or after `ms`. */
  wait(name: ReplyName, ms: number): Promise<void>
  /** Renews the leases, and looks for stop requests from other replicas. */
  renew(): Promise<void>
  /** Returns a function that frees the slot of a background reply; undefined: the organization has no slot left. */
  takeSlot(organizationId: string): (() => void) | undefined
  idle(): Promise<void>
}

export function createRunningReplies({ replies }: { replies: ReplyStore }): RunningReplies {
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
          await replies.renew(name)
          const action = await replies.findStopAction(name)
          if (action === 'cancel') reply.cancel()
          // `drop` ends after the running writes of its organization. The renewal of leases does not wait for it.
          if (action === 'delete') void reply.drop()
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
