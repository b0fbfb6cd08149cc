import { microsOf } from '../format/format.ts'

/** A typed amount in micros; throws the text when it is none. */
export function amountOf(text: string | undefined, wrong: string): number {
  const micros = microsOf(text ?? '')
  if (micros === undefined || micros === 0) throw new Error(wrong)
  return micros
}
