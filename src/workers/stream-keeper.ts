import type { LiveReplies } from '../app/text/relay/live-replies.ts'
import type { Log } from '../ports/log.ts'
import { type Loop, startLoop } from './loop.ts'

/** Three of these are the silence after which a client hears a sign of life. */
const PAUSE_MS = 5_000

/** Keeps streams alive whose vendor is silent, and lets clients go that take nothing. */
export function startStreamKeeper({ live, log }: { live: LiveReplies; log: Log }): Loop {
  return startLoop({
    pass: async () => live.tick(),
    pauseMs: PAUSE_MS,
    log,
    failure: 'stream.keep_alive_failed',
  })
}
