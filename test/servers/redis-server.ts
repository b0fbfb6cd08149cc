import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { obtainBinary } from './obtain-binary.ts'
import { createServerFolder } from './server-folder.ts'
import { startServerProcess } from './server-process.ts'
import { runTestServer, type TestServer } from './test-server.ts'

/**
 * A Redis (or Valkey) of the caller's own, empty, on a free loopback port; up within a few milliseconds. `config` is
 * written to its own file, because a sentinel stores its state there.
 */
export async function startRedis({
  args = [],
  config,
}: {
  args?: readonly string[]
  config?: string
} = {}): Promise<TestServer> {
  const binary = obtainBinary(REDIS)
  const folder = createServerFolder({ name: 'redis', owner: undefined, endSignal: 'KILL' })
  const configFile = join(folder.path, 'redis.conf')
  if (config !== undefined) writeFileSync(configFile, config)
  return runTestServer({
    folder,
    url: (port) => `redis://127.0.0.1:${port}`,
    launch: (port) =>
      startServerProcess({
        binary,
        args: [
          ...(config === undefined ? [] : [configFile]),
          ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder.path],
          ...(config === undefined ? WITHOUT_PERSISTENCE : []),
          ...args,
        ],
        folder,
        user: undefined,
        isReady: (pid) => answers(port, pid),
      }),
    crashSignal: 'SIGKILL',
    stopSignal: 'SIGTERM',
  })
}

const REDIS = {
  binaries: ['redis-server', 'valkey-server'],
  debianPackage: 'redis-server',
  homebrewPackage: 'redis',
  variable: 'TEST_REDIS_URL',
}

/** A restarted server is empty, so callers must rebuild their data. */
const WITHOUT_PERSISTENCE = ['--save', '', '--appendonly', 'no']

/** An inline command over a bare socket: no client is under test here. */
async function answers(port: number, pid: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.setTimeout(2_000, () => socket.destroy(new Error('no answer')))
  try {
    socket.write('INFO server\r\n')
    const [reply] = await once(socket, 'data')
    return String(reply).includes(`process_id:${pid}\r\n`)
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
