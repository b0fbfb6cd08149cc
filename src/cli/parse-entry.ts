import { InvalidArgumentError } from 'commander'

/** The id of a ledger entry, from a command that got no answer. */
export function parseEntry(text: string): string {
  if (/^ent_[\w-]{1,64}$/.test(text)) return text
  throw new InvalidArgumentError('Use the id that the failed command named, such as ent_019a2b3c.')
}
