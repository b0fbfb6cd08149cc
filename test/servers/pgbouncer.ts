import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { obtainBinary } from './obtain-binary.ts'
import { createServerFolder } from './server-folder.ts'
import { startServerProcess } from './server-process.ts'
import { serverUser } from './server-user.ts'
import { runTestServer, type TestServer } from './test-server.ts'

const PGBOUNCER = { binaries: ['pgbouncer'], debianPackage: 'pgbouncer', homebrewPackage: 'pgbouncer' }

/**
 * A PgBouncer before one database, in transaction mode and otherwise as shipped: a client has a server's connection only
 * for the length of a transaction.
 */
export async function startPgBouncer(databaseUrl: string): Promise<TestServer> {
  const binary = obtainBinary(PGBOUNCER)
  const user = serverUser()
  const folder = createServerFolder({ name: 'pgbouncer', owner: user, endSignal: 'KILL' })
  const { hostname, port: databasePort, pathname, username, password } = new URL(databaseUrl)
  const login = `user=${username}${password === '' ? '' : ` password=${decodeURIComponent(password)}`}`
  const urlOf = (port: number) => `postgres://${username}@127.0.0.1:${port}/sluice`
  return runTestServer({
    folder,
    url: urlOf,
    launch: (port) => {
      const file = join(folder.path, 'pgbouncer.ini')
      const lines = [
        '[databases]',
        `sluice = host=${hostname} port=${databasePort || '5432'} dbname=${pathname.slice(1)} ${login}`,
        '[pgbouncer]',
        'listen_addr = 127.0.0.1',
        `listen_port = ${port}`,
        'auth_type = any',
        'pool_mode = transaction',
        'default_pool_size = 5',
        'max_client_conn = 200',
        'unix_socket_dir =',
      ]
      writeFileSync(file, `${lines.join('\n')}\n`)
      return startServerProcess({ binary, args: [file], folder, user, isReady: () => answers(urlOf(port)) })
    },
    crashSignal: 'SIGKILL',
    stopSignal: 'SIGINT',
  })
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
