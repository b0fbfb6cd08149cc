import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NO_PROVIDERS } from '../test/system/faults/harness/no-providers.ts'

const LOG_LENGTH_MAX = 10_000

export interface Gateway {
  url: string
  key: string
  /** Empty when providers are configured. */
  sandboxUrl: string
  pid: number
  /** Time from spawn to the line that reports readiness. */
  startedInMs: number
  cpuSeconds(): Promise<number>
  stop(): Promise<void>
}

/** The real server, as `npm start` runs it, on a fresh or a given data folder. */
export async function startGateway({
  dataDir = freshFolder(),
  keep = false,
  compileCache,
  environment = {},
  workers,
}: {
  dataDir?: string
  keep?: boolean
  /** undefined: the cache that the install filled, as for a user. */
  compileCache?: string
  /** Added to the environment of every benchmark. */
  environment?: Record<string, string>
  workers?: number | undefined
} = {}): Promise<Gateway> {
  const began = performance.now()
  const several = workers === undefined ? [] : ['--workers', String(workers)]
  const program = join(import.meta.dirname, '../bin/sluice.js')
  const child = spawn(process.execPath, [program, 'serve', ...several], {
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      SLUICE_CONFIG: NO_PROVIDERS,
      SANDBOX: 'on',
      ...(compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache }),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { url, key, sandboxUrl } = await readBanner(child)
  return {
    url,
    key,
    sandboxUrl,
    pid: child.pid ?? 0,
    startedInMs: performance.now() - began,
    cpuSeconds: () => processCpuSeconds(url),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGINT')
      await ended
      if (!keep) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export function freshFolder(): string {
  return mkdtempSync(join(tmpdir(), 'sluice-bench-'))
}

/** The key is in the banner on a first start only. */
async function readBanner(child: ChildProcess): Promise<Pick<Gateway, 'url' | 'key' | 'sandboxUrl'>> {
  let text = ''
  let log = ''
  child.stderr?.on('data', (chunk) => {
    log = (log + chunk).slice(-LOG_LENGTH_MAX)
  })
  for await (const chunk of child.stdout ?? []) {
    text += chunk
    const url = text.match(/ready on (http:\S+)/)?.[1]
    if (url === undefined) continue
    child.stdout?.resume()
    return {
      url,
      key: text.match(/sk-sluice-[\w-]{48}/)?.[0] ?? '',
      sandboxUrl: text.match(/answer on (http:\S+)/)?.[1] ?? '',
    }
  }
  throw new Error(`the gateway ended before it was ready:\n${text}\n${log}`)
}

async function processCpuSeconds(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(metrics.match(/^\S*process_cpu_seconds_total (\S+)/m)?.[1])
}
