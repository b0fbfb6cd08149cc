import { Command, type CommanderError } from 'commander'
import { VERSION } from '../config/config.ts'
import { UsageError } from './errors.ts'
import type { Terminal } from './present/screen.ts'
import type { Session, Verb } from './verb.ts'
import { VERB_GROUPS, VERBS } from './verbs.ts'

/** Terminal that also writes results for people, with commands that this person can paste. */
export interface TextTerminal extends Terminal {
  text(text: string): void
}

/** Builds a commander program from the table of verbs. It throws where commander would end the process. */
export function buildProgram(input: {
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
  rejectDuplicateOptions(command)
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

/** Rejects two mistakes that commander accepts: a repeated option and an empty value. */
function rejectDuplicateOptions(command: Command): void {
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
