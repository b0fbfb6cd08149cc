import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Config } from '../compose/config.ts'
import { composeGateway, type Gateway } from '../compose/gateway.ts'
import type { Checkpoint } from '../ports/checkpoint.ts'
import { closeGateway } from './close-gateway.ts'
import { drainServer } from './drain-server.ts'

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
    gateway.log.info('process.stopping', { reason: signal })
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
    log.error('process.crashed', { error })
    void log.flush().finally(() => process.exit(1))
  })
}

/**
 * When a process rests for some seconds, V8 collects to save memory and throws compiled code away with it: the next
 * thousands of requests then cost half as much again. A server rests often and is busy again without warning.
 * `--no-memory-reducer` says it better, but only to a V8 that has not begun.
 */
export function keepCompiledCode(): void {
  setFlagsFromString('--memory-reducer-gc-count=0')
}

/**
 * Loading some 800 modules leaves behind garbage and a young generation several times larger than a server at rest
 * needs. V8 gives it back only when asked, and has no other way to be asked than this.
 */
function releaseMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect({ type: 'major', flavor: 'last-resort' })
}
