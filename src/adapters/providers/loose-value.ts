/** The members of an object; an empty one for anything else, so that reading on finds nothing. */
export function looseRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

/** A text, or a number that stands where a text belongs; undefined when nothing is in it. */
export function looseText(value: unknown): string | undefined {
  const text = Number.isSafeInteger(value) ? String(value) : value
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined
}

/** A number from zero on, also when it came as a text. */
export function looseNumber(value: unknown): number | undefined {
  const number =
    typeof value === 'string' && /^\s*\d{1,15}(\.\d{1,15})?\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
