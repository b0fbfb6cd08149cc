import { CommanderError } from 'commander'
import type { Operator } from '../app/operator.ts'
import { describeStore } from '../process/describe-store.ts'
import { buildProgram } from './build-program.ts'
import { explainError } from './explain-error.ts'
import { Interrupted } from './screen.ts'
import type { Services } from './services.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

const DONE = 0
const FAILED = 1
const MISUSED = 2
/** What shells say of a program that Ctrl-C ended. */
const INTERRUPTED = 130

/** Runs one command and resolves with the exit code: 0 done, 1 failed, 2 not understood, 130 left with Ctrl-C. */
export async function runCommandLine({
  words,
  services,
  terminal,
}: {
  /** What stands after the program's name. */
  words: readonly string[]
  services: Services
  terminal: Terminal
}): Promise<number> {
  const program = buildProgram({ terminal, session: { services, operate } })
  try {
    await program.parseAsync(words, { from: 'user' })
    return DONE
  } catch (error) {
    // Help and version were printed already; help that nobody asked for stands for a fault.
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : MISUSED
    if (error instanceof Interrupted) return INTERRUPTED
    terminal.notice(`${explainError(error)}\n`)
    return error instanceof UsageError ? MISUSED : FAILED
  }

  async function operate(work: (operator: Operator) => Promise<void>): Promise<void> {
    const config = services.loadConfig()
    // On standard error, where it does not disturb programs that read the result.
    terminal.notice(`Store: ${describeStore(config)}\n`)
    const { operator, close } = await services.composeOperator(config)
    try {
      await work(operator)
    } finally {
      await close()
    }
  }
}
