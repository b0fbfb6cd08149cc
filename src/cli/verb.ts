import type { Command } from 'commander'
import type { Operator } from '../app/operator.ts'
import type { Screen, Terminal } from './present/screen.ts'
import type { Services } from './services.ts'

/** One command, with its arguments, help and action. */
export interface Verb {
  /** Words that call it, such as `org create`. */
  path: string
  /** Arguments and options, as help and usage errors show them. */
  usage: string
  summary: string
  example: string
  /** Usual next step. */
  next: string
  /** Left out: it has `--json`. */
  json?: false
  /** Declares arguments and options, and the action. */
  define(command: Command, session: Session): void
}

export interface Session {
  services: Services
  /** Name of the program in the commands that texts show. */
  program: string
  /** Opens the store, does the work and closes the store again. */
  operate(work: (operator: Operator) => Promise<void>): Promise<void>
  /** Prints one of the two, depending on `--json`. */
  print(result: { json: unknown; text: string }): void
  /** Prints a text that is no part of the result, such as progress. */
  notice(text: string): void
  /** Asks the person at the terminal; undefined: there is no terminal. */
  ask: Terminal['ask']
  /** Opens the screen of a long-running command, which also disposes of it. */
  openScreen(): Screen
}
