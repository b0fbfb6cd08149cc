import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  output: string
}

/** Runs the real program with only these settings. A program that takes too long is killed, and has a `signal`. */
export async function runToItsEnd(
  words: readonly string[],
  env: Record<string, string>,
  { withinMs = 60_000 }: { withinMs?: number } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, ['bin/sluice.js', ...words], {
    cwd: REPOSITORY,
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', SANDBOX: 'on', SANDBOX_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  // The whole group: a primary may leave workers behind.
  const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), withinMs)
  const [code, signal] = await once(child, 'close')
  clearTimeout(timer)
  return { code, signal, output }
}
