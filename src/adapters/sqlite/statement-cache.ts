import type { DatabaseSync, StatementSync } from 'node:sqlite'

export interface PreparedStatement {
  statement: StatementSync
  returnsRows: boolean
}

/** Statements are built anew for each call, but there are few different ones; the least recently used goes first. */
export function statementCache(database: DatabaseSync, { size }: { size: number }) {
  const statements = new Map<string, PreparedStatement>()
  return (text: string): PreparedStatement => {
    const prepared = statements.get(text) ?? prepare(database, text)
    statements.delete(text)
    statements.set(text, prepared)
    if (statements.size > size) forgetOldest(statements)
    return prepared
  }
}

function prepare(database: DatabaseSync, text: string): PreparedStatement {
  const statement = database.prepare(text)
  return { statement, returnsRows: statement.columns().length > 0 }
}

function forgetOldest(statements: Map<string, PreparedStatement>): void {
  const [oldest] = statements.keys()
  if (oldest !== undefined) statements.delete(oldest)
}
