import cluster, { type Address, type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

/** A worker that dies this soon after its start did not die of its work. */
const EARLY_DEATH_MS = 5_000
const EARLY_DEATHS_MAX = 5
const RESTART_DELAY_MS = 500
/** A worker gets its own grace; this is for one that does not even keep that. */
const OVERTIME_MS = 2_000

/**
 * The primary of `serve --workers N`: it forks, replaces workers that die, hands a signal on and waits for the end.
 * Resolves with the exit code.
 */
export async function runWorkers({
  count,
  graceMs,
  environment,
  clock,
  log,
  onReady,
}: {
  count: number
  graceMs: number
  /** Added to the workers' own. */
  environment: Record<string, string>
  clock: Clock
  log: Log
  onReady(port: number): void
}): Promise<number> {
  const ended = Promise.withResolvers<number>()
  let state: 'starting' | 'serving' | 'stopping' = 'starting'
  let listening = 0
  let earlyDeaths = 0
  const births = new WeakMap<Worker, number>()

  cluster.on('listening', (_worker: Worker, { port }: Address) => {
    if (++listening !== count || state !== 'starting') return
    state = 'serving'
    onReady(port)
  })
  cluster.on('exit', (worker, code, signal) => {
    if (state === 'stopping') return endWhenEmpty()
    log.error('a worker ended and is replaced', { code: signal ?? String(code), count: worker.id })
    if (livedMs(worker) < EARLY_DEATH_MS && ++earlyDeaths >= EARLY_DEATHS_MAX) return void stop('SIGTERM', 1)
    setTimeout(() => state !== 'stopping' && fork(), RESTART_DELAY_MS)
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal, 0))

  for (let index = 0; index < count; index++) fork()
  return ended.promise

  function fork(): void {
    births.set(cluster.fork(environment), clock.monotonicMs())
  }

  function livedMs(worker: Worker): number {
    return clock.monotonicMs() - (births.get(worker) ?? 0)
  }

  async function stop(signal: NodeJS.Signals, exitCode: number): Promise<void> {
    if (state === 'stopping') return
    state = 'stopping'
    process.exitCode = exitCode
    tellWorkers(signal)
    endWhenEmpty()
    await sleep(graceMs + OVERTIME_MS, undefined, { ref: false })
    tellWorkers('SIGKILL')
  }

  function endWhenEmpty(): void {
    if (Object.keys(cluster.workers ?? {}).length === 0) ended.resolve(Number(process.exitCode ?? 0))
  }
}

function tellWorkers(signal: NodeJS.Signals): void {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal)
}
