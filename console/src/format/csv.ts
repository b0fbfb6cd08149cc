export type Value = string | number | boolean | null | undefined

/** Rows as CSV with a first line of titles, after RFC 4180. The mark at its beginning tells spreadsheets that it is UTF-8. */
export function csvOf(titles: readonly string[], rows: readonly (readonly Value[])[]): string {
  const lines = [titles, ...rows].map((cells) => cells.map(cellOf).join(','))
  return `\uFEFF${lines.join('\r\n')}\r\n`
}

/** Customers choose their names: a text that a spreadsheet would run as a formula gets an apostrophe. */
function cellOf(value: Value): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
