import { executionAsyncResource } from 'node:async_hooks'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { withDeadline } from '../app/jobs/deadline.ts'
import type { Config } from '../compose/config.ts'
import { demoFiller } from '../compose/demo/demo-filler.ts'
import { composeGateway, type Gateway } from '../compose/gateway.ts'
import type { DrainState } from '../http/server/draining.ts'
import type { HttpServer } from '../http/server/listen.ts'
import type { Checkpoint } from '../ports/checkpoint.ts'
import { closeGateway } from './close-gateway.ts'

/** Runs one serving process, from its composition to its last log line. */
export async function serveUntilSignal(input: {
  config: Config
  checkpoint: Checkpoint
  inCluster: boolean
  sandboxUrl?: string | undefined
  onReady?(gateway: Gateway, url: string): Promise<void>
}): Promise<void> {
  const { config, checkpoint, inCluster, sandboxUrl, onReady } = input
  tuneEngine()
  const gateway = await composeGateway({
    ...{ config, checkpoint, inCluster, sandboxUrl },
    demo: demoFiller(config),
  })
  endOnFault(gateway)
  const signalled = nextSignal()
  let spareMs = 0
  try {
    releaseMemory()
    boundYoungGeneration()
    const url = await gateway.server.listen({ host: config.http.host, port: config.http.port })
    await onReady?.(gateway, url)
    checkpoint('serve.ready')
    const signal = await signalled
    const untilMs = gateway.clock.monotonicMs() + config.http.shutdownGraceMs
    gateway.log.info('process.stopping', { reason: signal })
    await drainServer({
      server: gateway.server,
      drain: gateway.drain,
      idle: gateway.idle,
      graceMs: config.http.shutdownGraceMs,
      notReadyMs: config.http.shutdownNotReadyMs,
      requestedBy: signal === 'SIGINT' ? 'person' : 'orchestrator',
    })
    spareMs = Math.max(0, untilMs - gateway.clock.monotonicMs())
  } finally {
    await closeGateway(gateway, { spareMs })
  }
}

function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal))
  })
}

/** A process in an unknown state must not continue to handle money. Acknowledged writes are on disk. */
function endOnFault({ log }: Gateway): void {
  process.on('uncaughtException', (error) => {
    log.error('process.crashed', { error })
    void log.flush().finally(() => process.exit(1))
  })
}

/** Sets V8 flags for a server that is often idle and suddenly busy. */
export function tuneEngine(): void {
  // After some idle seconds V8 collects to save memory and discards compiled code, which makes the next thousands of
  // requests 50 % more expensive. V8 reads `--no-memory-reducer` only at its start.
  setFlagsFromString('--memory-reducer-gc-count=0')
  // The main thread collects young objects in a few milliseconds. Parallel threads would spin while one has no core.
  setFlagsFromString('--no-parallel-scavenge')
  // Functions that run once per request are optimized after 1,000 calls instead of 3,000.
  setFlagsFromString('--invocation-count-for-turbofan=1000')
  // After an idle time the heap may by default grow by less than the young generation takes: V8 then collects all of it
  // several times in a second of load. With this flag it may grow to three times its live size.
  setFlagsFromString('--heap-growing-percent=200')
  // V8 drops the hidden class of tick objects if none is alive at a collection that saves memory. Node's compiled
  // `nextTick` then stays eight times slower.
  process.nextTick(() => keptTicks.push(executionAsyncResource()))
}

const keptTicks: object[] = []

/**
 * The start leaves garbage, and a young generation several times larger than an idle server needs. V8 returns that
 * memory only when this collection is requested.
 */
function releaseMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect({ type: 'major', flavor: 'last-resort' })
}

const YOUNG_BYTES_MAX = 8 * 1024 * 1024
const YOUNG_LOOK_EVERY_MS = 500
/** Share of time spent in young collections, above which the young generation may grow. */
const YOUNG_COLLECTING_MAX = 0.12

/**
 * With hundreds of streams the young generation doubles up to 32 MB, which makes their work no cheaper. Only many
 * costly bodies at the same time need it: their values survive several collections. V8 reads the maximum only at its
 * start, but the growth factor at each step. V8 may shrink the generation of an idle process; later it may grow again.
 */
export function boundYoungGeneration(setFlag = setFlagsFromString): void {
  let isBounded = false
  let collectingMs = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind } = Object('detail' in entry ? entry.detail : undefined)
      if (kind === constants.NODE_PERFORMANCE_GC_MINOR) collectingMs += entry.duration
    }
  }).observe({ entryTypes: ['gc'] })
  const look = () => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
    const isLarge = young !== undefined && young.space_size >= YOUNG_BYTES_MAX
    const mayGrow = collectingMs > YOUNG_LOOK_EVERY_MS * YOUNG_COLLECTING_MAX
    collectingMs = 0
    if ((isLarge && !mayGrow) === isBounded) return
    isBounded = !isBounded
    setFlag(`--semi-space-growth-factor=${isBounded ? 1 : 2}`)
  }
  setInterval(look, YOUNG_LOOK_EVERY_MS).unref()
}

/** Largest share of `graceMs` in which everything is still answered. The rest is for running requests. */
const NOT_READY_SHARE_MAX = 0.5
/** Streams are ended at most this long before connections are cut, which is enough time for a final event. */
const FINAL_EVENT_MS_MAX = 500
const FINAL_EVENT_SHARE = 0.1
/** Time for a connection that other code took over and that cannot be cut here. */
const CUT_MS_MAX = 500
const LOOK_EVERY_MS = 20
/** A single client has no connection between two calls: only several looks without a connection show that it left. */
const QUIET_LOOKS = 5

/**
 * Stops a server within `graceMs`, and `CUT_MS_MAX` more after cutting connections:
 *
 *   serving -> leaving   readiness fails, answers carry `Connection: close`, every request is still answered
 *           -> closing   no new connections; running requests may finish
 *           -> ending    streams send their final event
 *           -> closed    remaining connections are cut
 *
 * An orchestrator's signal always gets the whole time of leaving, because clients and load balancers may have no open
 * connection at the moment. Ctrl-C does not wait when no client is connected.
 */
export async function drainServer(input: {
  server: HttpServer
  drain: DrainState
  /** Resolves when all work that has lost its connection, or needs none, has ended. */
  idle?(): Promise<void>
  graceMs: number
  /** Time in which everything is still answered after `/readyz` fails, for load balancers to notice. */
  notReadyMs: number
  requestedBy: 'orchestrator' | 'person'
}): Promise<void> {
  const { server, drain, idle = async () => {}, graceMs, notReadyMs, requestedBy } = input
  const leavingMs = Math.min(graceMs * NOT_READY_SHARE_MAX, notReadyMs)
  const finalEventMs = Math.min(graceMs * FINAL_EVENT_SHARE, FINAL_EVENT_MS_MAX)

  drain.begin()
  await (requestedBy === 'person' ? connectionsGone(server, leavingMs) : sleep(leavingMs))
  const closed = Promise.all([server.close(), idle()])
  if (await withDeadline(closed, { ms: graceMs - leavingMs - finalEventMs })) return
  drain.end()
  if (await withDeadline(closed, { ms: finalEventMs })) return
  server.cutConnections()
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
