import cluster from 'node:cluster'
import { systemClock } from '../adapters/system/clock.ts'
import type { Demo } from '../app/access/make-demo.ts'
import { composePrimary, type Gateway } from '../compose.ts'
import type { Config } from '../config/config.ts'
import { VERSION } from '../config/version.ts'
import { type Checkpoint, passCheckpoint } from '../ports/checkpoint.ts'
import { type Sandbox, startSandbox } from '../sandbox/server.ts'
import { banner } from './banner.ts'
import { runWorkers } from './run-workers.ts'
import { serveUntilSignal } from './serve-until-signal.ts'

/** `sluice serve`: this process alone, or the primary of several. Resolves when the server has left. */
export async function startServer({
  config,
  workers = 1,
  checkpoint = passCheckpoint,
}: {
  config: Config
  workers?: number | undefined
  checkpoint?: Checkpoint
}): Promise<void> {
  if (cluster.isWorker) return serveUntilSignal({ config, checkpoint, inCluster: true })

  const sandbox =
    config.providers.length === 0
      ? await startSandbox({ ...config.sandbox, nowMs: systemClock.nowMs })
      : undefined
  try {
    await (workers > 1
      ? leadWorkers({ config, workers, sandbox })
      : serveAlone({ config, checkpoint, sandbox }))
  } finally {
    await sandbox?.close()
  }
}

function serveAlone({
  config,
  checkpoint,
  sandbox,
}: {
  config: Config
  checkpoint: Checkpoint
  sandbox: Sandbox | undefined
}): Promise<void> {
  const onReady = async (gateway: Gateway, url: string) => {
    greet({ config, url, sandbox, demo: await demoFor(config, gateway) })
  }
  return serveUntilSignal({ config, checkpoint, inCluster: false, onReady })
}

async function leadWorkers({
  config,
  workers,
  sandbox,
}: {
  config: Config
  workers: number
  sandbox: Sandbox | undefined
}): Promise<void> {
  const { clock, log } = composePrimary(config)
  process.exitCode = await runWorkers({
    count: workers,
    graceMs: config.http.shutdownGraceMs,
    environment: sandbox === undefined ? {} : { SANDBOX_PORT: String(sandbox.port) },
    clock,
    log,
    onReady: (port) => greet({ config, url: `http://${config.http.host}:${port}`, sandbox, demo: undefined }),
  })
  await log.flush()
}

/** Only the embedded default with its sandbox introduces itself with a demo. */
async function demoFor(config: Config, gateway: Gateway): Promise<Demo | undefined> {
  const embedded = config.engines.databaseUrl === undefined && config.providers.length === 0
  return embedded ? gateway.makeDemo() : undefined
}

function greet({
  config,
  url,
  sandbox,
  demo,
}: {
  config: Config
  url: string
  sandbox: Sandbox | undefined
  demo: Demo | undefined
}): void {
  const { engines } = config
  const engine = engines.databaseUrl === undefined ? `SQLite in ${engines.dataDir}` : 'PostgreSQL'
  process.stdout.write(banner({ version: VERSION, url, engine, sandboxUrl: sandbox?.url, demo }))
}
