import { createInterface } from 'node:readline/promises'
import { openScreen } from './cli/present/screen.ts'
import { runCommandLine } from './cli/run-command-line.ts'
import { realServices } from './cli/services.ts'
import { programName } from './config/program-name.ts'

/** Runs the program with the arguments of the process. */
export async function main(argv: readonly string[]): Promise<void> {
  // "sluice org list | head -1" closes the pipe early; that is not a fault.
  process.stdout.on('error', (error) => {
    if ('code' in error && error.code === 'EPIPE') process.exit(0)
    throw error
  })
  const exitCode = await runCommandLine({
    args: argv.slice(2),
    services: realServices,
    program: programName(),
    terminal: {
      result: (text) => void process.stdout.write(text),
      notice: (text) => void process.stderr.write(text),
      ask: process.stdin.isTTY && process.stderr.isTTY ? askOnTerminal : undefined,
      openScreen: () => openScreen({ stream: process.stderr, signals: process }),
    },
  })
  // `process.exit` would drop output that is not written yet. With 0, a code that the server has set stays.
  if (exitCode !== 0) process.exitCode = exitCode
}

/** Resolves with the typed line; Ctrl-C or the end of the input gives an empty line. */
async function askOnTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const left = new AbortController()
  lines.once('close', () => left.abort())
  try {
    return await lines.question(question, { signal: left.signal })
  } catch {
    return ''
  } finally {
    lines.close()
  }
}
