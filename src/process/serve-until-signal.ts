import { executionAsyncResource } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { withDeadline } from '../app/jobs/deadline.ts'
import type { Config } from '../compose/config.ts'
import { composeGateway, type Gateway } from '../compose/gateway.ts'
import type { DrainState } from '../http/server/draining.ts'
import type { HttpServer } from '../http/server/server.ts'
import type { Checkpoint } from '../ports/checkpoint.ts'
import { closeGateway } from './close-gateway.ts'

/** One process that serves: from composing it to its last log line. Resolves when it has left. */
export async function serveUntilSignal({
  config,
  checkpoint,
  inCluster,
  sandboxUrl,
  onReady,
}: {
  config: Config
  checkpoint: Checkpoint
  inCluster: boolean
  sandboxUrl?: string | undefined
  onReady?(gateway: Gateway, url: string): Promise<void>
}): Promise<void> {
  tuneEngine()
  const gateway = await composeGateway({ config, checkpoint, inCluster, sandboxUrl })
  endOnFault(gateway)
  const asked = nextSignal()
  try {
    await gateway.server.ready()
    releaseMemory()
    const url = await gateway.server.listen({ host: config.http.host, port: config.http.port })
    await onReady?.(gateway, url)
    checkpoint('serve.ready')
    const signal = await asked
    gateway.log.info('process.stopping', { reason: signal })
    await drainServer({
      server: gateway.server,
      drain: gateway.drain,
      idle: gateway.idle,
      graceMs: config.http.shutdownGraceMs,
      notReadyMs: config.http.shutdownNotReadyMs,
      askedBy: signal === 'SIGINT' ? 'person' : 'orchestrator',
    })
  } finally {
    await closeGateway(gateway)
  }
}

function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal))
  })
}

/** A process in an unknown state must not go on handling money; what was acknowledged is on disk. */
function endOnFault({ log }: Gateway): void {
  process.on('uncaughtException', (error) => {
    log.error('process.crashed', { error })
    void log.flush().finally(() => process.exit(1))
  })
}

/**
 * When a process rests for some seconds, V8 collects to save memory and throws compiled code away with it: the next
 * thousands of requests then cost half as much again. A server rests often and is busy again without warning.
 * `--no-memory-reducer` says it better, but only to a V8 that has not begun.
 *
 * Young objects are collected by the main thread alone: it is done in a few milliseconds, and helpers that get no core
 * at that moment are waited for, by all the others in a busy loop.
 *
 * A function of ours runs once in a request. It gets the best compiler after 1,000 calls in place of 3,000: a process is
 * warm after a third of the requests.
 *
 * The heap may grow to three times what is alive before all of it is collected. By itself V8 allows less after a rest than
 * the young generation takes, and collects everything several times in a second of load.
 *
 * A tick is kept, and with it the layout of all ticks. When no tick is alive at a collection that saves memory, their
 * layout is collected too, and Node's compiled `nextTick` stays eight times slower for as long as the process runs.
 */
export function tuneEngine(): void {
  setFlagsFromString('--memory-reducer-gc-count=0')
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--invocation-count-for-turbofan=1000')
  setFlagsFromString('--heap-growing-percent=200')
  process.nextTick(() => keptTicks.push(executionAsyncResource()))
}

const keptTicks: object[] = []

/**
 * Loading some 800 modules and making the routes leaves behind garbage and a young generation several times larger than a
 * server at rest needs. V8 gives it back only when asked, and has no other way to be asked than this.
 */
function releaseMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect({ type: 'major', flavor: 'last-resort' })
}

/** The largest part of the grace in which everything is still answered: the rest is for what is running. */
const NOT_READY_SHARE_MAX = 0.5
/** Streams are ended this long before the process: enough time for a last event. */
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
  idle = async () => {},
  graceMs,
  notReadyMs,
  askedBy,
}: {
  server: HttpServer
  drain: DrainState
  /** Resolves when nothing runs that has no connection. */
  idle?(): Promise<void>
  graceMs: number
  /** How long everything is still answered after `/readyz` fails, for load balancers to notice. */
  notReadyMs: number
  askedBy: 'orchestrator' | 'person'
}): Promise<void> {
  const leavingMs = Math.min(graceMs * NOT_READY_SHARE_MAX, notReadyMs)
  const lastWordsMs = Math.min(graceMs * LAST_WORDS_SHARE, LAST_WORDS_MS_MAX)

  drain.begin()
  await (askedBy === 'person' ? connectionsGone(server, leavingMs) : sleep(leavingMs))
  const closed = Promise.all([server.close(), idle()])
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
