import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { obtainBinary } from './obtain-binary.ts'
import { createServerFolder, type ServerFolder } from './server-folder.ts'
import { startServerProcess } from './server-process.ts'
import { type ServerUser, serverUser } from './server-user.ts'
import { runTestServer, type TestServer } from './test-server.ts'

/**
 * A PostgreSQL of the caller's own, empty, on a free loopback port. Takes about a second, most of it `initdb`.
 * Durable as shipped unless it may be quick: some tests crash their server and count the rows.
 */
export async function startPostgres({ isQuick = false } = {}): Promise<TestServer> {
  const initdb = obtainBinary(POSTGRES)
  const user = serverUser()
  const folder = createServerFolder({ name: 'postgres', owner: user, endSignal: 'QUIT' })
  const data = join(folder.path, 'data')
  await initialise({ initdb, data, folder, user })
  const binary = join(dirname(initdb), 'postgres')
  const settings = isQuick ? [...SETTINGS, ...QUICK] : SETTINGS
  return runTestServer({
    folder,
    url: urlOf,
    launch: (port) =>
      startServerProcess({
        binary,
        args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
        folder,
        user,
        isReady: () => answers(urlOf(port), data),
      }),
    crashSignal: 'SIGQUIT',
    stopSignal: 'SIGINT',
  })
}

const POSTGRES = {
  binaries: ['initdb'],
  debianPackage: 'postgresql',
  homebrewPackage: 'postgresql',
  variable: 'TEST_DATABASE_URL',
}

/** Compiling a query takes longer than running it on a few rows; these rows need not survive a crash. */
const QUICK = ['jit=off', 'fsync=off', 'synchronous_commit=off', 'full_page_writes=off']
const SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200']

const INITDB_TIMEOUT_MS = 60_000

async function initialise(options: {
  initdb: string
  data: string
  folder: ServerFolder
  user: ServerUser | undefined
}): Promise<void> {
  const args = ['-D', options.data, '-U', 'sluice', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  try {
    await promisify(execFile)(options.initdb, args, {
      cwd: options.folder.path,
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      timeout: INITDB_TIMEOUT_MS,
      ...options.user,
    })
  } catch (error) {
    await options.folder.remove()
    throw error
  }
}

function urlOf(port: number): string {
  return `postgres://sluice@127.0.0.1:${port}/postgres`
}

async function answers(url: string, data: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('show data_directory')
    return rows[0]?.data_directory === data
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
