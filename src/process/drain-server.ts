import { setTimeout as sleep } from 'node:timers/promises'
import type { DrainState } from '../http/draining.ts'
import type { HttpServer } from '../http/server.ts'

/** So long we go on answering after saying "not ready", for load balancers to notice. */
const LEAVING_MS_MAX = 2_000
const LEAVING_SHARE = 0.25
/** Streams hear that the end is near this long before it: enough for a proper last event. */
const LAST_WORDS_MS_MAX = 500
const LAST_WORDS_SHARE = 0.1
const LOOK_EVERY_MS = 20

/**
 * How a server leaves, within `graceMs` in all:
 *
 *   serving -> leaving   readiness says no, answers say `Connection: close`, everything is still answered
 *           -> closing   no new connections; what is under way may finish
 *           -> ending    streams are told to say their last words
 *           -> closed    what is left is cut
 *
 * With nobody connected it goes straight to the end.
 */
export async function drainServer({
  server,
  drain,
  graceMs,
}: {
  server: HttpServer
  drain: DrainState
  graceMs: number
}): Promise<void> {
  const leavingMs = Math.min(graceMs * LEAVING_SHARE, LEAVING_MS_MAX)
  const lastWordsMs = Math.min(graceMs * LAST_WORDS_SHARE, LAST_WORDS_MS_MAX)

  drain.begin()
  await connectionsGone(server, leavingMs)
  const closed = server.close()
  if (await within(closed, graceMs - leavingMs - lastWordsMs)) return
  drain.end()
  if (await within(closed, lastWordsMs)) return
  server.server.closeAllConnections()
  await closed
}

async function connectionsGone(server: HttpServer, patienceMs: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += LOOK_EVERY_MS) {
    if ((await countConnections(server)) === 0) return
    await sleep(LOOK_EVERY_MS)
  }
}

function countConnections(server: HttpServer): Promise<number> {
  return new Promise((resolve, reject) => {
    server.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })
}

async function within(work: PromiseLike<unknown>, patienceMs: number): Promise<boolean> {
  const enough = new AbortController()
  const late = sleep(Math.max(0, patienceMs), false, { signal: enough.signal }).catch(() => false)
  try {
    return await Promise.race([Promise.resolve(work).then(() => true), late])
  } finally {
    enough.abort()
  }
}
