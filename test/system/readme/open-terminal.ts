import { spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'

export interface TerminalWindow {
  /** Everything that was written so far, on both streams. */
  output(): string
  /** Resolves with the exit code when the commands are through; rejects when they take too long. */
  done(): Promise<number | null>
  /** Ctrl-C, and the wait for the end. */
  interrupt(): Promise<void>
}

const PATIENCE_MS = 60_000

/** Runs pasted commands in a shell of their own, as a person would in a window of a terminal. */
export function openTerminal(
  commands: string,
  {
    folder,
    environment = {},
    patienceMs = PATIENCE_MS,
  }: { folder: string; environment?: Record<string, string>; patienceMs?: number },
): TerminalWindow {
  const child = spawn('bash', ['-c', commands], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C reaches the whole process group: the shell, npm and its program.
    detached: true,
  })
  let written = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text
    })
  const { promise: ended, resolve } = Promise.withResolvers<number | null>()
  child.once('close', resolve)
  onTestFinished(() => signalGroup('SIGKILL'))

  function signalGroup(signal: NodeJS.Signals): void {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal)
    } catch {
      // The process is gone already.
    }
  }

  async function done(): Promise<number | null> {
    const late = setTimeout(() => signalGroup('SIGKILL'), patienceMs)
    const code = await ended.finally(() => clearTimeout(late))
    if (child.signalCode === 'SIGKILL') throw new Error(`It did not end: ${commands}\n${written}`)
    return code
  }

  return {
    output: () => written,
    done,
    async interrupt() {
      signalGroup('SIGINT')
      await done()
    },
  }
}
