import { InvalidArgumentError } from 'commander'

/** What every engine of the store keeps to the last decimal. */
const DOLLARS_MAX = 1_000_000_000n

/** US dollars as the shortest decimal that means the same: never a binary fraction on the way. */
export function parseUsd(text: string): string {
  const [, dollars, fraction = ''] = /^(\d{1,20})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  if (dollars === undefined)
    throw new InvalidArgumentError('Use US dollars with at most 6 decimals, such as 5 or 0.25.')
  if (BigInt(dollars) >= DOLLARS_MAX)
    throw new InvalidArgumentError(`Use less than ${DOLLARS_MAX} US dollars.`)
  const decimals = fraction.replace(/0+$/, '')
  return decimals === '' ? `${BigInt(dollars)}` : `${BigInt(dollars)}.${decimals}`
}
