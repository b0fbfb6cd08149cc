import type { ReplyFailure } from '../../llm/hub/reply-failure.ts'
import type { Log } from '../../ports/log.ts'

/** A reply that is under way. */
export interface LiveReply {
  /** Called in steady intervals. */
  tick(): void
  failWith(failure: ReplyFailure): void
}

/** Every reply of this process that is under way: kept alive together, and ended together. */
export interface LiveReplies {
  add(reply: LiveReply): void
  remove(reply: LiveReply): void
  tick(): void
  /** The last words of every reply, and of those that still come: the process leaves. */
  endAll(): void
}

const LEAVING: ReplyFailure = {
  kind: 'draining',
  message: 'The gateway is restarting and could not wait any longer. Send the request again.',
}

export function liveReplies(log: Log): LiveReplies {
  const replies = new Set<LiveReply>()
  let isLeaving = false

  function each(visit: (reply: LiveReply) => void): void {
    for (const reply of replies) {
      try {
        visit(reply)
      } catch (error) {
        log.error('a reply under way could not be visited', { error })
      }
    }
  }

  return {
    add(reply) {
      replies.add(reply)
      if (isLeaving) reply.failWith(LEAVING)
    },
    remove: (reply) => void replies.delete(reply),
    tick: () => each((reply) => reply.tick()),
    endAll() {
      isLeaving = true
      each((reply) => reply.failWith(LEAVING))
    },
  }
}
