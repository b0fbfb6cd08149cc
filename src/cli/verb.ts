import type { Command } from 'commander'
import type { Operator } from '../app/operator.ts'
import type { Screen } from './present/screen.ts'
import type { Services } from './services.ts'

/** One command: enough to call it, to explain it and to run it. */
export interface Verb {
  /** The words that call it, such as `org create`. */
  path: string
  /** What follows the words, as help and usage errors show it. */
  usage: string
  summary: string
  example: string
  /** What people usually want to do afterwards. */
  next: string
  /** Whether `--json` makes sense for it. */
  json: boolean
  /** Declares arguments and options, and what to do with them. */
  define(command: Command, session: Session): void
}

export interface Session {
  services: Services
  /** Opens the store, does the work and closes the store again. */
  operate(work: (operator: Operator) => Promise<void>): Promise<void>
  /** Prints one of the two, as `--json` asks. */
  print(result: { json: unknown; text: string }): void
  /** Prints something that is no part of the result, such as that it takes a while. */
  notice(text: string): void
  /** For a command that takes a while; the command that opens it also disposes of it. */
  openScreen(): Screen
}
