import { createServer } from 'node:http'
import { answerRequest } from './answer-request.ts'
import { createSandboxClock } from './clock.ts'
import type { Controlled } from './control/routes.ts'
import { createFaultScript } from './faults/script.ts'
import type { SandboxPart } from './part.ts'
import { PARTS } from './parts.ts'
import { createRequestLog } from './request-log.ts'

export interface Sandbox {
  url: string
  port: number
  close(): Promise<void>
}

interface SandboxOptions {
  /** 0 takes a free port. */
  port: number
  /** Factor by which time runs faster than a vendor's. */
  speed: number
  parts?: readonly SandboxPart[]
  /** Port of the sandbox that will serve the links to clips. Left out: this one. */
  linkPort?: number
  nowMs: () => number
  log?: { error(event: string, fields: { error: unknown }): void }
}

const HOST = '127.0.0.1'

/** Starts the simulated vendors. The server listens on loopback only, because almost any key works. */
export async function startSandbox({
  port,
  speed,
  parts = PARTS.map((create) => create()),
  linkPort,
  nowMs,
  log,
}: SandboxOptions): Promise<Sandbox> {
  const controlled: Controlled = {
    parts,
    linkPort,
    script: createFaultScript(),
    requestLog: createRequestLog(),
    clock: createSandboxClock({ nowMs, speed }),
  }
  const closing = new AbortController()
  const server = createServer((request, response) => {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const signal = AbortSignal.any([gone.signal, closing.signal])
    answerRequest(controlled, { request, response, signal }).catch((error: unknown) => {
      if (signal.aborted || response.headersSent) response.destroy()
      else response.writeHead(500).end()
      if (!signal.aborted) log?.error('sandbox request failed', { error })
    })
  })
  const actualPort = await listen(server, port)
  return {
    url: `http://${HOST}:${actualPort}`,
    port: actualPort,
    close: () => {
      closing.abort()
      for (const part of parts) part.close?.()
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      server.closeAllConnections()
      return closed
    },
  }
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  server.once('error', reject)
  server.listen(port, HOST, () => {
    server.off('error', reject)
    const address = server.address()
    if (address !== null && typeof address === 'object') resolve(address.port)
  })
  return promise
}
