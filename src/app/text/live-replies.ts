import type { ReplyFailure } from '../../llm/hub/reply-failure.ts'

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
  /** The last words of every reply, when the process leaves. */
  endAll(): void
}

const LEAVING: ReplyFailure = {
  kind: 'draining',
  message: 'The gateway is restarting and could not wait any longer. Send the request again.',
}

export function liveReplies(): LiveReplies {
  const replies = new Set<LiveReply>()
  return {
    add: (reply) => void replies.add(reply),
    remove: (reply) => void replies.delete(reply),
    tick() {
      for (const reply of replies) reply.tick()
    },
    endAll() {
      for (const reply of replies) reply.failWith(LEAVING)
    },
  }
}
