import { microsOf } from '../format/format.ts'

/** Reads a typed amount as micros; throws an error with the given text when it is not an amount. */
export function amountOf(text: string | undefined, wrong: string): number {
  const micros = microsOf(text ?? '')
  if (micros === undefined || micros === 0) throw new Error(wrong)
  return micros
}
