import { CommanderError } from 'commander'
import type { Operator } from '../app/operator.ts'
import { describeStore } from '../compose/diagnosis/describe-store.ts'
import { ConfigError } from '../config/config-error.ts'
import { pasteable } from '../config/program-name.ts'
import { type ApiError, asApiError } from '../domain/api-error.ts'
import { ERRORS } from '../domain/errors.ts'
import { buildProgram, type TextTerminal } from './build-program.ts'
import { FailedChecks, FileError, NotConfirmed, UsageError } from './errors.ts'
import { Interrupted, type Terminal } from './present/screen.ts'
import type { Services } from './services.ts'

const DONE = 0
const FAILED = 1
const MISUSED = 2
/** Exit code that shells give a program that Ctrl-C ended. */
const INTERRUPTED = 130

/** Runs one command and resolves with its exit code: 0 done, 1 failed, 2 not understood, 130 Ctrl-C. */
export async function runCommandLine(input: {
  args: readonly string[]
  services: Services
  terminal: Terminal
  /** Name of the program in commands that texts show. */
  program?: string
}): Promise<number> {
  const { args, services, program: name = 'sluice' } = input
  const terminal = showing(name, input.terminal)
  const program = buildProgram({ terminal, session: { services, program: name, operate } })
  try {
    if (args.length === 0) announceServe()
    await program.parseAsync(args.length === 0 ? ['serve'] : args, { from: 'user' })
    return DONE
  } catch (error) {
    // Commander has printed help or version; help without a request for it means a wrong command line.
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : MISUSED
    if (error instanceof Interrupted) return INTERRUPTED
    terminal.notice(`${explainError(error)}\n`)
    const concernsSettings = error instanceof ConfigError || error instanceof FailedChecks
    if (concernsSettings && services.hasFile('.env')) terminal.notice(ENV_FILE)
    return error instanceof UsageError ? MISUSED : FAILED
  }

  /** Tells a newcomer who types only the name which store the server will create or open. */
  function announceServe(): void {
    const store = describeStore(services.loadConfig())
    terminal.notice(`Starting the gateway (store: ${store}). "sluice --help" lists the other commands.\n`)
  }

  async function operate(work: (operator: Operator) => Promise<void>): Promise<void> {
    const config = services.loadConfig()
    // Notices go to standard error, so that programs can read the result on standard output.
    terminal.notice(`Store: ${describeStore(config)}\n`)
    const { operator, close } = await services.composeOperator(config)
    try {
      await work(operator)
    } finally {
      await close()
    }
  }
}

const ENV_FILE = `This program does not read the .env in this folder. Docker Compose does: "docker compose exec sluice sluice doctor".
Here a shell can: "set -a; . ./.env; set +a", then the same command.
`

/** Makes commands in notices and texts pasteable. `result` stays unchanged, because it may be JSON. */
function showing(program: string, terminal: Terminal): TextTerminal {
  return {
    ...terminal,
    notice: (text) => terminal.notice(pasteable(text, program)),
    text: (text) => terminal.result(pasteable(text, program)),
  }
}

/** Explains an error with its fault and its fix. Only unexpected errors show a stack. */
export function explainError(error: unknown): string {
  if (EXPLAINED.some((kind) => error instanceof kind) && error instanceof Error) return error.message
  const apiError = asApiError(error)
  if (apiError !== undefined) return hideCredentials(explainApiError(apiError))
  const advice = ADVICE[codeOf(error)]
  if (advice !== undefined && error instanceof Error) return hideCredentials(`${error.message}\n${advice}`)
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return hideCredentials(`Something unexpected went wrong. Please report it with these lines:\n${details}`)
}

/** Errors whose message already says what to do. */
const EXPLAINED = [UsageError, FailedChecks, FileError, NotConfirmed, ConfigError]

/** Adds the causes to the default message of an error code, which alone does not explain the fault. */
function explainApiError(apiError: ApiError): string {
  const isShort = apiError.message === ERRORS[apiError.code].message
  const message = [apiError.message, apiError.command ?? []].flat().join(' ')
  return [message, ...(isShort ? causes(apiError.cause) : [])].join('\n  because: ')
}

/** Advice by error code of the system, for faults that an operator can fix. */
const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another program listens there. Stop it, or set PORT (or SANDBOX_PORT) to a free port.',
  EADDRNOTAVAIL: 'This machine has no such address. Set HOST to one it has, such as 127.0.0.1 or 0.0.0.0.',
  ENOTFOUND: 'There is no such host. Check HOST, DATABASE_URL and REDIS_URL.',
  EACCES:
    'This user may not do that. Check the rights of DATA_DIR; ports below 1024 often need more rights too.',
  EPERM: 'This user may not do that. Check the rights of DATA_DIR.',
  EROFS: 'The disk is read-only. Set DATA_DIR to a folder that can be written.',
  ENOSPC: 'The disk is full. Make room, or set DATA_DIR to another disk.',
  ENOTDIR: 'DATA_DIR, or a part of it, is a file. Set it to a folder.',
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

const CAUSES_MAX = 3

/** Returns the messages of the causes. An `AggregateError` has none, so its first error stands for it. */
function causes(cause: unknown, depth = 0): string[] {
  if (!(cause instanceof Error) || depth === CAUSES_MAX) return []
  if (cause.message === '' && cause instanceof AggregateError) return causes(cause.errors[0], depth)
  return [cause.message || codeOf(cause) || cause.name, ...causes(cause.cause, depth + 1)]
}

function hideCredentials(text: string): string {
  return text.replaceAll(/\/\/[^\s/]*@/g, '//...@')
}
