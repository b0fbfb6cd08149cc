import cluster, { type Address, type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sandbox } from '../../sandbox/server.ts'
import type { Demo } from '../app/access/make-demo.ts'
import type { Config } from '../compose/config.ts'
import { describeStore } from '../compose/diagnosis/describe-store.ts'
import type { Gateway } from '../compose/gateway.ts'
import { composePrimary, composeSandbox, hasStoredProviders } from '../compose/primary.ts'
import { VERSION } from '../config/config.ts'
import { ConfigError } from '../config/config-error.ts'
import { decideSandbox } from '../config/decide-sandbox.ts'
import { isRunByNpm, programName } from '../config/program-name.ts'
import { urlOf } from '../http/server/url-of.ts'
import { type Checkpoint, passCheckpoint } from '../ports/checkpoint.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { banner } from './banner.ts'
import { CLOSING_MS_MAX, endEvenIfHeld } from './close-gateway.ts'
import { decideWorkerRestart } from './decide-worker-restart.ts'
import { serveUntilSignal } from './serve-until-signal.ts'

/** Runs `sluice serve`: the only process, the primary of several, or one of its workers. */
export async function startServer(input: {
  config: Config
  workers?: number | undefined
  checkpoint?: Checkpoint
}): Promise<void> {
  const { config, workers = 1, checkpoint = passCheckpoint } = input
  try {
    if (cluster.isWorker) await serveUntilSignal({ config, checkpoint, inCluster: true })
    else await servePrimary({ config, workers, checkpoint })
  } finally {
    // The channel of a worker to its primary would keep the worker alive.
    process.channel?.unref()
    endEvenIfHeld()
  }
}

const PARENT_LOOK_EVERY_MS = 500

/** Sends this process a SIGTERM when its parent ends: npm signals its shell, which does not pass signals on. */
function stopWithNpm(): void {
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    process.kill(process.pid, 'SIGTERM')
  }, PARENT_LOOK_EVERY_MS).unref()
}

interface Serving {
  config: Config
  workers: number
  checkpoint: Checkpoint
  sandbox: Sandbox | undefined
}

async function servePrimary({ config, workers, checkpoint }: Omit<Serving, 'sandbox'>): Promise<void> {
  if (isRunByNpm()) stopWithNpm()
  const decision = decideSandbox(config)
  if (decision.kind === 'refused' && !(await hasStoredProviders(config)))
    throw new ConfigError([decision.fault])
  const sandbox = decision.kind === 'run' ? await composeSandbox(config) : undefined
  try {
    await (workers > 1
      ? leadWorkers({ config, workers, sandbox })
      : serveAlone({ config, checkpoint, sandbox }))
  } finally {
    await sandbox?.close()
  }
}

function serveAlone({ config, checkpoint, sandbox }: Omit<Serving, 'workers'>): Promise<void> {
  const onReady = async (gateway: Gateway, url: string) => {
    const signInPath = isLoopback(config.http.host) ? await gateway.makeSignInPath() : undefined
    const demo = await demoFor(config, gateway)
    greet({ config, url, sandbox: gateway.runsSandbox ? sandbox : undefined, demo, signInPath })
  }
  return serveUntilSignal({ config, checkpoint, inCluster: false, sandboxUrl: sandbox?.url, onReady })
}

async function leadWorkers({ config, workers, sandbox }: Omit<Serving, 'checkpoint'>): Promise<void> {
  const { clock, log } = composePrimary(config)
  process.exitCode = await runWorkers({
    count: workers,
    graceMs: config.http.shutdownGraceMs,
    environment: sandbox === undefined ? {} : { SANDBOX_PORT: String(sandbox.port) },
    clock,
    log,
    onReady: (port) =>
      greet({ config, url: urlOf({ host: config.http.host, port }), sandbox, demo: undefined }),
  })
  await log.flush()
}

/** Standard output of a server on other addresses may be stored where others can read the sign-in link. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

/** Only the embedded default with its sandbox makes a demo. */
async function demoFor(config: Config, gateway: Gateway): Promise<Demo | undefined> {
  const isEmbedded = config.engines.databaseUrl === undefined
  return isEmbedded && gateway.runsSandbox ? gateway.makeDemo() : undefined
}

function greet(input: {
  config: Config
  url: string
  sandbox: Sandbox | undefined
  demo: Demo | undefined
  signInPath?: string | undefined
}): void {
  const { config, url, sandbox, demo, signInPath } = input
  process.stdout.write(
    banner({
      program: programName(),
      version: VERSION,
      url,
      publicUrl: config.http.publicBaseUrl,
      engine: describeStore(config),
      sandboxUrl: sandbox?.url,
      demo,
      signInPath,
    }),
  )
}

/** Time beyond a worker's grace after which it is killed: the limit for its closing, and 3 s more. */
const OVERTIME_MS = CLOSING_MS_MAX + 3_000

/**
 *   starting -> serving    when N different workers listen
 *            -> stopping   by a signal (0), or when a worker ends with exit code 1 or workers die again and again (1)
 *   serving  -> stopping   by a signal (0); workers that die are replaced
 *   stopping -> ended      when the last worker has ended; those that take too long are killed (1)
 */
/** Runs the primary of `serve --workers N`. Resolves with the exit code, which the drawing has in brackets. */
async function runWorkers(tools: {
  count: number
  graceMs: number
  environment: Record<string, string>
  clock: Clock
  log: Log
  onReady(port: number): void
}): Promise<number> {
  const { count, graceMs, environment, clock, log, onReady } = tools
  const ended = Promise.withResolvers<number>()
  const stopping = new AbortController()
  const births = new Map<Worker, number>()
  const listening = new Set<Worker>()
  let state: 'starting' | 'serving' | 'stopping' = 'starting'
  let deaths = 0
  let exitCode = 0

  cluster.on('listening', (worker: Worker, { port }: Address) => {
    listening.add(worker)
    if (state !== 'starting' || listening.size < count) return
    state = 'serving'
    deaths = 0
    onReady(port)
  })
  cluster.on('exit', (worker, code, signal) => {
    const livedMs = clock.monotonicMs() - (births.get(worker) ?? 0)
    births.delete(worker)
    listening.delete(worker)
    if (state === 'stopping') return endWhenEmpty()
    const after = decideWorkerRestart({
      starting: state === 'starting',
      deaths,
      livedMs,
      exitCode: signal ? null : code,
    })
    deaths = after.deaths
    if (after.next.kind === 'restart') {
      log.error('worker.replaced', { code: signal ?? String(code), count: worker.id })
      void sleep(after.next.delayMs, undefined, { signal: stopping.signal }).then(fork, () => {})
    } else {
      log.error('worker.given_up', { code: signal ?? String(code), count: deaths })
      void stop('SIGTERM', 1)
    }
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal, 0))

  for (let index = 0; index < count; index++) fork()
  return ended.promise

  function fork(): void {
    births.set(cluster.fork(environment), clock.monotonicMs())
  }

  async function stop(signal: NodeJS.Signals, code: number): Promise<void> {
    if (state === 'stopping') return
    state = 'stopping'
    exitCode = code
    stopping.abort()
    signalWorkers(signal)
    endWhenEmpty()
    await sleep(graceMs + OVERTIME_MS, undefined, { ref: false })
    log.error('worker.killed', { count: births.size })
    exitCode = 1
    signalWorkers('SIGKILL')
  }

  function signalWorkers(signal: NodeJS.Signals): void {
    for (const worker of births.keys()) worker.process.kill(signal)
  }

  function endWhenEmpty(): void {
    if (births.size === 0) ended.resolve(exitCode)
  }
}
