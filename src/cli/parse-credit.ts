import { InvalidArgumentError } from 'commander'
import type { Micros } from '../domain/billing/micros.ts'
import { parseUsdMicros } from '../domain/billing/usd.ts'
import { parseUsd } from './parse-usd.ts'

/** US dollars that somebody paid in: more than nothing. */
export function parseCredit(text: string): Micros {
  const amount = parseUsdMicros(parseUsd(text))
  if (amount === undefined || amount === 0) throw new InvalidArgumentError('Use more than 0 US dollars.')
  return amount
}
