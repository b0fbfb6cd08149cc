import type { Command } from 'commander'
import type { Operator } from '../app/operator.ts'
import type { Screen, Terminal } from './present/screen.ts'
import type { Services } from './services.ts'

/** One command, with its arguments, help and action. */
export interface Verb {
  /** Words of the command line, such as `org create`. */
  path: string
  /** Arguments and options for help and usage errors. Left out: `usageOf` makes them from `define`. */
  usage?: string
  summary: string
  example: string
  next: string
  /** false: the command has no `--json`. Left out: it has this option. */
  json?: false
  define(command: Command, session: Session): void
}

export interface Session {
  services: Services
  /** Program name, for commands shown in texts. */
  program: string
  /** Opens the store, runs `work` and closes the store. */
  operate(work: (operator: Operator) => Promise<void>): Promise<void>
  /** Prints `json` with `--json`, otherwise `text`. */
  print(result: { json: unknown; text: string }): void
  /** Prints a text that is not part of the result, such as progress. */
  notice(text: string): void
  /** Asks the person at the terminal; undefined without a terminal. */
  ask: Terminal['ask']
  /** Opens the screen of a long-running command; the command disposes of it. */
  openScreen(): Screen
}
