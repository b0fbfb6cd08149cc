import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { BLOCKED_PORTS } from '../../src/adapters/outbound/guarded-url.ts'

/**
 * A loopback port without a listener. It lies below the range that kernels hand out to outgoing connections:
 * inside that range a client that retries while the server is down can end up connected to itself. A callback may go
 * to it too.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if (!BLOCKED_PORTS.has(port) && (await isFree(port))) return port
  }
  throw new Error(`No free port between ${FIRST_PORT} and ${LAST_PORT} in ${ATTEMPTS_MAX} attempts.`)
}

const FIRST_PORT = 15_000
const LAST_PORT = 31_999
const ATTEMPTS_MAX = 50

function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
