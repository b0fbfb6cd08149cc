import type { Config } from '../compose/config.ts'
import { composeGateway, type Gateway } from '../compose/gateway.ts'
import type { Checkpoint } from '../ports/checkpoint.ts'
import { closeGateway } from './close-gateway.ts'
import { drainServer } from './drain-server.ts'
import { keepCompiledCode } from './keep-compiled-code.ts'
import { releaseMemory } from './release-memory.ts'

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
  keepCompiledCode()
  const gateway = await composeGateway({ config, checkpoint, inCluster, sandboxUrl })
  endOnFault(gateway)
  const asked = nextSignal()
  try {
    releaseMemory()
    const url = await gateway.server.listen({ host: config.http.host, port: config.http.port })
    await onReady?.(gateway, url)
    checkpoint('serve.ready')
    const signal = await asked
    gateway.log.info('leaving', { reason: signal })
    await drainServer({
      server: gateway.server,
      drain: gateway.drain,
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
    log.error('unexpected failure, the process ends', { error })
    void log.flush().finally(() => process.exit(1))
  })
}
