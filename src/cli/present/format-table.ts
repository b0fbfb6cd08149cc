/** Formats columns as wide as their widest cell, two spaces apart. */
export function formatTable(
  rows: readonly Readonly<Record<string, string>>[],
  { none }: { none: string },
): string {
  const [first] = rows
  if (first === undefined) return none
  const names = Object.keys(first)
  const lines = [names, ...rows.map((row) => names.map((name) => oneLine(row[name] ?? '')))]
  const widths = names.map((_, column) =>
    lines.reduce((most, line) => Math.max(most, [...(line[column] ?? '')].length), 0),
  )
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Removes characters that a terminal would interpret, because names come from clients and vendors. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
}

/** Formats CSV by RFC 4180. `withHead` adds the member names as the first line. */
export function formatCsv(
  rows: readonly Readonly<Record<string, string | number | null>>[],
  { withHead }: { withHead: boolean },
): string {
  const names = Object.keys(rows[0] ?? {})
  const lines = rows.map((row) => names.map((name) => csvCell(row[name])).join(','))
  return (withHead ? [names.join(','), ...lines] : lines).join('\n')
}

/** Puts an apostrophe before a text that a spreadsheet would read as a formula. Numbers stay unchanged. */
function csvCell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const plain = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
