/** Returns an object, or an empty one for any other value. */
export function looseRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

/** Accepts a text, or an integer in its place. Returns undefined for an empty text. */
export function looseText(value: unknown): string | undefined {
  const text = Number.isSafeInteger(value) ? String(value) : value
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined
}

/** Accepts a number of at least zero, also as a text. */
export function looseNumber(value: unknown): number | undefined {
  const number =
    typeof value === 'string' && /^\s*\d{1,15}(\.\d{1,15})?\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
