import type { Operator } from '../../app/operator.ts'
import { formatTable } from '../present/format-table.ts'
import type { Session, Verb } from '../verb.ts'

type Printed = Parameters<Session['print']>[0]

interface Listing<Row> {
  json(row: Row): object
  cells(row: Row): Record<string, string>
  /** Text that is shown when there are no rows. */
  none: string
}

/** Shows rows as JSON and as a table. */
export function listing<Row>(rows: readonly Row[], { json, cells, none }: Listing<NoInfer<Row>>): Printed {
  const table = rows.map((row) => cells(row))
  return { json: rows.map((row) => json(row)), text: formatTable(table, { none }) }
}

export function forAll(work: (operator: Operator) => Promise<Printed>): Verb['define'] {
  return (command, { operate, print }) =>
    command.action(() => operate(async (operator) => print(await work(operator))))
}

/** Defines a command whose only argument names the thing that it shows or changes. */
export function forOne(
  argument: string,
  meaning: string,
  work: (operator: Operator, name: string) => Promise<Printed>,
): Verb['define'] {
  return (command, { operate, print }) =>
    command
      .argument(argument, meaning)
      .action((name: string) => operate(async (operator) => print(await work(operator, name))))
}

export function forOrganization(work: (operator: Operator, org: string) => Promise<Printed>): Verb['define'] {
  return (command, { operate, print }) =>
    command
      .requiredOption('--org <id>', 'the organization')
      .action(({ org }: { org: string }) => operate(async (operator) => print(await work(operator, org))))
}
