import { Command, CommanderError } from 'commander'
import type { Operator } from '../app/operator.ts'
import { describeStore } from '../compose/diagnosis/describe-store.ts'
import { VERSION } from '../config/config.ts'
import { ConfigError } from '../config/config-error.ts'
import { pasteable } from '../config/program-name.ts'
import { type ApiError, asApiError } from '../domain/api-error.ts'
import { ERRORS } from '../domain/errors.ts'
import { FailedChecks, FileError, NotConfirmed, UsageError } from './errors.ts'
import { Interrupted, type Terminal } from './present/screen.ts'
import type { Services } from './services.ts'
import type { Session, Verb } from './verb.ts'
import { VERB_GROUPS, VERBS } from './verbs.ts'

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
  /** Program name, for commands shown in texts. */
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
    terminal.notice(`${explainError(error, args)}\n`)
    const concernsSettings = error instanceof ConfigError || error instanceof FailedChecks
    if (concernsSettings && services.hasFile('.env')) terminal.notice(ENV_FILE)
    return error instanceof UsageError ? MISUSED : FAILED
  }

  /** Says which store the server will create or open, to a person who typed only the name of the program. */
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
export function explainError(error: unknown, args: readonly string[] = []): string {
  if (EXPLAINED.some((kind) => error instanceof kind) && error instanceof Error) return error.message
  const apiError = asApiError(error)
  if (apiError !== undefined) return hideCredentials(explainApiError(apiError, args))
  const advice = ADVICE[codeOf(error)]
  if (advice !== undefined && error instanceof Error) return hideCredentials(`${error.message}\n${advice}`)
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return hideCredentials(`Something unexpected went wrong. Please report it with these lines:\n${details}`)
}

/** Errors whose message already says what to do. */
const EXPLAINED = [UsageError, FailedChecks, FileError, NotConfirmed, ConfigError]

/** Adds the causes to the default message of an error code, which alone does not explain the fault. */
function explainApiError(apiError: ApiError, args: readonly string[]): string {
  const isShort = apiError.message === ERRORS[apiError.code].message
  const message = [withOption(apiError, args), apiError.command ?? []].flat().join(' ')
  return [message, ...(isShort ? causes(apiError.cause) : [])].join('\n  because: ')
}

/** Returns the message with the option on the command line in place of the field of the API. */
function withOption({ message, param }: ApiError, args: readonly string[]): string {
  const option = `--${param?.replaceAll('_', '-')}`
  const isGiven = args.some((arg) => arg === option || arg.startsWith(`${option}=`))
  return isGiven && param !== null && message.startsWith(param)
    ? `${option}${message.slice(param.length)}`
    : message
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

/** Returns the messages of the causes. The first error of an `AggregateError` without a message replaces it. */
function causes(cause: unknown, depth = 0): string[] {
  if (!(cause instanceof Error) || depth === CAUSES_MAX) return []
  if (cause.message === '' && cause instanceof AggregateError) return causes(cause.errors[0], depth)
  return [cause.message || codeOf(cause) || cause.name, ...causes(cause.cause, depth + 1)]
}

function hideCredentials(text: string): string {
  return text.replaceAll(/\/\/[^\s/]*@/g, '//...@')
}

/** Terminal that also writes results for people, with commands that this person can paste. */
interface TextTerminal extends Terminal {
  text(text: string): void
}

/** Builds a commander program from the table of verbs. It throws where commander would end the process. */
function buildProgram(input: {
  terminal: TextTerminal
  session: Omit<Session, 'print' | keyof Terminal>
}): Command {
  const { terminal, session } = input
  const program = new Command('sluice')
    .description('Sluice, an AI gateway: video, assets and text models behind one HTTP service.')
    .version(VERSION, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'explain this command')
    .helpCommand('help [command]', 'explain a command')
    // A group may itself be a command, whose options stand before the second word.
    .enablePositionalOptions()
    .configureOutput({ writeOut: terminal.text, writeErr: terminal.notice, outputError: () => {} })
    .addHelpText('after', FIRST_STEPS)
  refuseAs(program, 'sluice <command>', 'sluice --help')
  const groups = new Map(
    Object.entries(VERB_GROUPS).map(([name, summary]) => [name, new Command(name).description(summary)]),
  )
  for (const verb of VERBS) {
    const [first = '', second] = verb.path.split(' ')
    const group = groups.get(first)
    if (group === undefined) {
      defineVerb(program.command(verb.path), verb, { terminal, session })
      continue
    }
    if (group.parent === null) {
      program.addCommand(group.copyInheritedSettings(program).enablePositionalOptions())
      refuseAs(group, `sluice ${first} <command>`, `sluice ${first} --help`)
    }
    defineVerb(second === undefined ? group : group.command(second), verb, { terminal, session })
  }
  return program
}

const FIRST_STEPS = `
First steps:
  sluice                                           start the gateway, as "sluice serve" does
  sluice org create --name "Acme Ltd" --prepaid    then make a customer,
  sluice credit add --org <org id> --usd 25        money for it,
  sluice user create --org <org id>                a user of it,
  sluice key create --org <org id> --user <id>     and a key to call the gateway with

Settings come from sluice.yaml and from the environment, such as PORT (8080): see docs/configuration.md.
Every command explains itself: sluice org create --help`

function defineVerb(
  command: Command,
  verb: Verb,
  { terminal, session }: { terminal: TextTerminal; session: Omit<Session, 'print' | keyof Terminal> },
): void {
  command
    .description(verb.summary)
    .addHelpText('after', `\nExample:\n  ${verb.example}\n\nNext:\n  ${verb.next}`)
  verb.define(command, {
    ...session,
    notice: terminal.notice,
    ask: terminal.ask,
    openScreen: terminal.openScreen,
    print({ json, text }) {
      if (command.opts().json === true) terminal.result(`${JSON.stringify(json)}\n`)
      else terminal.text(`${text}\n`)
    },
  })
  if (verb.json !== false) command.option('--json', 'print the result as JSON and nothing else')
  command.usage(verb.usage ?? usageOf(command))
  refuseAs(command, `sluice ${verb.path} ${command.usage()}`, verb.example)
  rejectRepeatedOrEmpty(command)
}

/** Lists arguments and options in the order of their definition, in brackets those that may be left out. */
function usageOf({ registeredArguments, options }: Command): string {
  const named = registeredArguments.map((argument) => {
    const name = `<${argument.name()}${argument.variadic ? '...' : ''}>`
    return argument.required ? name : `[${name}]`
  })
  return [...named, ...options.map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`))].join(' ')
}

/** Adds the right form to commander's message about a mistake. A request for help is not a mistake. */
function refuseAs(command: Command, form: string, example: string): void {
  command.exitOverride((error: CommanderError) => {
    if (error.exitCode === 0 || error.code === 'commander.help') throw error
    throw new UsageError(error.message.replace(/^error: /, ''), { form, example })
  })
}

/** Rejects two mistakes that commander accepts: a repeated option, and an empty option or argument. */
function rejectRepeatedOrEmpty(command: Command): void {
  for (const option of command.options) {
    let times = 0
    command.on(`option:${option.name()}`, (value: string | null) => {
      times += 1
      if (times > 1) command.error(`option '${option.flags}' is given twice`)
      if (option.required && isEmpty(value))
        command.error(`option '${option.flags}' is empty${missing(option.flags)}`)
    })
  }
  command.hook('preAction', () => {
    const index = command.args.findIndex(isEmpty)
    const name = command.registeredArguments[index]?.name() ?? ''
    if (index >= 0) command.error(`argument '${name}' is empty${missing(name)}`)
  })
}

function isEmpty(value: string | null | undefined): boolean {
  return typeof value === 'string' && value.trim() === ''
}

function missing(name: string): string {
  return /\bid\b/.test(name) ? ': an id is missing' : ''
}
