import { setTimeout as sleep } from 'node:timers/promises'
import { withDeadline } from '../app/jobs/deadline.ts'
import type { DrainState } from '../http/server/draining.ts'
import type { HttpServer } from '../http/server/server.ts'

/** The largest part of the grace in which everything is still answered: the rest is for what is running. */
const NOT_READY_SHARE_MAX = 0.5
/** Streams hear that the end is near this long before it: enough for a proper last event. */
const LAST_WORDS_MS_MAX = 500
const LAST_WORDS_SHARE = 0.1
/** A cut takes no time; this is for a connection that other code took over and that cannot be cut here. */
const CUT_MS_MAX = 500
const LOOK_EVERY_MS = 20
/** A single client has no connection between two calls: only a while without any shows that no client is left. */
const QUIET_LOOKS = 5

/**
 * How a server leaves, within `graceMs` in all:
 *
 *   serving -> leaving   readiness fails, answers carry `Connection: close`, every request is still answered
 *           -> closing   no new connections; running requests may finish
 *           -> ending    streams send their last event
 *           -> closed    what is left is cut
 *
 * An orchestrator's signal always gets the whole time of leaving: clients that open a connection for each call, and load
 * balancers that look once a second, have none open when we look. Ctrl-C does not wait when no client is connected.
 */
export async function drainServer({
  server,
  drain,
  graceMs,
  notReadyMs,
  askedBy,
}: {
  server: HttpServer
  drain: DrainState
  graceMs: number
  /** How long everything is still answered after `/readyz` says no, for load balancers to notice. */
  notReadyMs: number
  askedBy: 'orchestrator' | 'person'
}): Promise<void> {
  const leavingMs = Math.min(graceMs * NOT_READY_SHARE_MAX, notReadyMs)
  const lastWordsMs = Math.min(graceMs * LAST_WORDS_SHARE, LAST_WORDS_MS_MAX)

  drain.begin()
  await (askedBy === 'person' ? connectionsGone(server, leavingMs) : sleep(leavingMs))
  const closed = server.close()
  if (await withDeadline(closed, { ms: graceMs - leavingMs - lastWordsMs })) return
  drain.end()
  if (await withDeadline(closed, { ms: lastWordsMs })) return
  server.server.closeAllConnections()
  await withDeadline(closed, { ms: CUT_MS_MAX })
}

async function connectionsGone(server: HttpServer, patienceMs: number): Promise<void> {
  let quietLooks = 0
  for (let waitedMs = 0; waitedMs < patienceMs && quietLooks < QUIET_LOOKS; waitedMs += LOOK_EVERY_MS) {
    quietLooks = (await countConnections(server)) === 0 ? quietLooks + 1 : 0
    await sleep(LOOK_EVERY_MS)
  }
}

function countConnections(server: HttpServer): Promise<number> {
  return new Promise((resolve, reject) => {
    server.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })
}
