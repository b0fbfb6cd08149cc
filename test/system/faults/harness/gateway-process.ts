import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { DOOR_ENVIRONMENT } from '../../../fast-door.ts'
import { LOGS_VARIABLE } from '../../../random/canary.ts'
import { freePort } from '../../../servers/free-port.ts'
import { NO_PROVIDERS } from './no-providers.ts'

export interface GatewayOptions {
  /** Arguments of Node, from the repository's root; default: the server as users start it. */
  args?: readonly string[]
  /** Added to the environment of the tests; `PORT` is chosen here. */
  env?: Record<string, string>
  /** A free port that other settings use too; left out: a free port is chosen. */
  port?: number
  readyTimeoutMs?: number
  /** Time that `stop` waits for a graceful end before it kills. */
  stopTimeoutMs?: number
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

/** The real server in a process of its own, to be killed and started again. */
export interface GatewayProcess {
  readonly port: number
  readonly baseUrl: string
  readonly pid: number
  /** Everything the processes have written, the earlier ones too. */
  output(): string
  /** Sends the signal and waits for the end. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<Exit>
  /** Resolves when the present process ends by itself, as after a crash point; rejects when it does not in time. */
  exited(withinMs?: number): Promise<Exit>
  /** Starts the process again on the same port, after an end, and waits until it is ready. */
  restart(changes?: { env?: Record<string, string> }): Promise<void>
  /** Ends the process if it still runs: by SIGTERM, and by SIGKILL if that takes too long. */
  stop(): Promise<Exit>
}

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url))
const SERVE = ['bin/sluice.js', 'serve'] as const

/**
 * Settings of quick gateways. The shutdown is short, because there is no load balancer. The limit of the lag is high,
 * because other tests on this machine cause a lag, for which no client must be refused.
 */
const QUICK = {
  HOST: '127.0.0.1',
  SLUICE_CONFIG: NO_PROVIDERS,
  SANDBOX: 'on',
  SHUTDOWN_GRACE_MS: '1000',
  SHUTDOWN_NOT_READY_MS: '250',
  SHED_LAG_MS: '60000',
}

/** For `args`: the same server with crash points that read their plan from the environment. */
export const CRASHABLE_SERVER = ['test/system/faults/harness/serve-with-crash-points.ts'] as const

export async function startGateway(options: GatewayOptions = {}): Promise<GatewayProcess> {
  const { args = SERVE, readyTimeoutMs = 60_000, stopTimeoutMs = 60_000 } = options
  const port = options.port ?? (await freePort())
  const baseUrl = `http://127.0.0.1:${port}`
  let env = { ...options.env }
  let written = ''
  let child = launch()
  process.once('exit', killGroup)

  function launch(): Child {
    // A killed process leaves no compiled sources behind, so every process uses the cache of the install.
    const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
    const inherited = { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE }
    const launched = spawn(process.execPath, args, {
      cwd: REPOSITORY,
      env: { ...inherited, ...DOOR_ENVIRONMENT, ...QUICK, ...env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that workers it leaves behind can be found.
      detached: true,
    })
    for (const stream of [launched.stdout, launched.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        written += text
        keepForSearch(launched.pid, text)
      })
    }
    const { promise: ended, resolve } = Promise.withResolvers<Exit>()
    const launchedChild: Child = { process: launched, ended, exit: undefined }
    launched.once('close', (code, signal) => {
      launchedChild.exit = { code, signal }
      resolve(launchedChild.exit)
    })
    return launchedChild
  }

  async function untilReady(): Promise<void> {
    const limit = AbortSignal.timeout(readyTimeoutMs)
    while (!(await answersReady(baseUrl, limit))) {
      if (child.exit !== undefined) {
        throw problem(`ended before it was ready (${child.exit.signal ?? child.exit.code})`)
      }
      if (limit.aborted) throw problem(`was not ready within ${readyTimeoutMs} ms`)
      await delay(20)
    }
  }

  async function exited(withinMs = stopTimeoutMs): Promise<Exit> {
    const timer = new AbortController()
    const tooLate = delay(withinMs, undefined, { signal: timer.signal }).then(() => {
      throw problem(`did not end within ${withinMs} ms`)
    })
    return await Promise.race([child.ended, tooLate]).finally(() => timer.abort())
  }

  async function kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<Exit> {
    child.process.kill(signal)
    return await exited()
  }

  function killGroup(): void {
    try {
      if (child.process.pid !== undefined) process.kill(-child.process.pid, 'SIGKILL')
    } catch {
      // The process is gone already.
    }
  }

  function problem(what: string): Error {
    return new Error(`gateway process ${what}; its output:\n${written}`)
  }

  function forget(): void {
    killGroup()
    process.off('exit', killGroup)
  }

  await untilReady().catch((error) => {
    forget()
    throw error
  })
  return {
    port,
    baseUrl,
    get pid() {
      return child.process.pid ?? 0
    },
    output: () => written,
    kill,
    exited,
    async restart(changes = {}) {
      if (child.exit === undefined) throw problem('still runs and cannot be restarted')
      env = { ...env, ...changes.env }
      child = launch()
      await untilReady()
    },
    async stop() {
      try {
        return await kill('SIGTERM')
      } finally {
        forget()
      }
    },
  }
}

interface Child {
  process: ChildProcess
  /** Resolves after the last output. */
  ended: Promise<Exit>
  exit: Exit | undefined
}

/** Keeps the output, in which `npm run faults` searches for secrets. */
function keepForSearch(pid: number | undefined, text: string): void {
  const folder = process.env[LOGS_VARIABLE]
  if (folder !== undefined && folder !== '') appendFileSync(join(folder, `${pid}.log`), text)
}

async function answersReady(baseUrl: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { statusCode, body } = await request(`${baseUrl}/readyz`, { signal, reset: true })
    await body.dump()
    return statusCode === 200
  } catch {
    return false
  }
}
