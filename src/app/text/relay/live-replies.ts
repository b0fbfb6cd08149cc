import type { StreamError } from '../../../llm/canonical/reply-event.ts'
import type { Log } from '../../../ports/log.ts'

/** A reply that is being relayed. */
export interface LiveReply {
  /** Where it is found among the others: theirs to set. */
  slot: number
  /** Called in steady intervals. */
  tick(): void
  failWith(failure: StreamError): void
}

/** Every running reply of this process: kept alive together, and ended together. */
export interface LiveReplies {
  add(reply: LiveReply): void
  remove(reply: LiveReply): void
  tick(): void
  /** The last words of every reply, and of those that still come: the process leaves. */
  endAll(): void
}

const LEAVING: StreamError = {
  kind: 'draining',
  message: 'The gateway is restarting and could not wait any longer. Send the request again.',
}

/**
 * Slots and not a `Set`: one that is filled and emptied all the time leaves a trail of tables behind, by which the
 * collector of young objects takes requests that are long over for alive. It cost a tenth of every request.
 */
export function liveReplies(log: Log): LiveReplies {
  const slots: (LiveReply | undefined)[] = []
  const free: number[] = []
  let isLeaving = false

  function each(visit: (reply: LiveReply) => void): void {
    for (const reply of slots) {
      if (reply === undefined) continue
      try {
        visit(reply)
      } catch (error) {
        log.error('stream.tick_failed', { error })
      }
    }
  }

  return {
    add(reply) {
      reply.slot = free.pop() ?? slots.length
      slots[reply.slot] = reply
      if (isLeaving) reply.failWith(LEAVING)
    },
    remove(reply) {
      if (slots[reply.slot] !== reply) return
      slots[reply.slot] = undefined
      free.push(reply.slot)
    },
    tick: () => each((reply) => reply.tick()),
    endAll() {
      isLeaving = true
      each((reply) => reply.failWith(LEAVING))
    },
  }
}
