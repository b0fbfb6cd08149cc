/** Statements that add a column for each line: SQLite adds one at a time. */
export function addColumns(table: string, columns: string): string {
  const lines = columns.trim().split('\n')
  return lines.map((line) => `alter table ${table} add column ${line.trim()}`).join(';\n')
}
