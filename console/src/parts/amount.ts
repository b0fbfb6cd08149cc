import { microsOf } from '../format/format.ts'

/** Reads a typed budget as micros; null where the field was left empty. 0 is a budget too. */
export function budgetOf(text: string | undefined, wrong: string): number | null {
  if (text === undefined || text.trim() === '') return null
  return microsOf(text) === 0 ? 0 : amountOf(text, wrong)
}

/** Writes a budget as `budgetOf` reads it. */
export function budgetText(micros: number | null): string {
  return micros === null ? '' : String(micros / 1_000_000)
}

/** Reads a typed amount as micros; throws an error with the given text when it is zero or not an amount. */
export function amountOf(text: string | undefined, wrong: string): number {
  const micros = microsOf(text ?? '')
  if (micros === undefined || micros === 0) throw new Error(wrong)
  return micros
}
