import cluster from 'node:cluster'
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
import { banner } from './banner.ts'
import { endEvenIfHeld } from './close-gateway.ts'
import { runWorkers } from './run-workers.ts'
import { serveUntilSignal } from './serve-until-signal.ts'

/** Runs `sluice serve`: this process alone, or the primary of several. */
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

/** npm passes a signal on to its shell, which passes it to nothing: without that parent the server stops as by SIGTERM. */
function stopWithNpm(): void {
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    process.kill(process.pid, 'SIGTERM')
  }, PARENT_LOOK_EVERY_MS).unref()
}

async function servePrimary(input: {
  config: Config
  workers: number
  checkpoint: Checkpoint
}): Promise<void> {
  const { config, workers, checkpoint } = input
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

function serveAlone(input: {
  config: Config
  checkpoint: Checkpoint
  sandbox: Sandbox | undefined
}): Promise<void> {
  const { config, checkpoint, sandbox } = input
  const onReady = async (gateway: Gateway, url: string) => {
    const signInPath = isLoopback(config.http.host) ? await gateway.makeSignInPath() : undefined
    const demo = await demoFor(config, gateway)
    greet({ config, url, sandbox: gateway.runsSandbox ? sandbox : undefined, demo, signInPath })
  }
  return serveUntilSignal({ config, checkpoint, inCluster: false, sandboxUrl: sandbox?.url, onReady })
}

async function leadWorkers(input: {
  config: Config
  workers: number
  sandbox: Sandbox | undefined
}): Promise<void> {
  const { config, workers, sandbox } = input
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
