import type { StatementKind } from './statement.ts'
import type { Db } from './tables.ts'

export interface Engine extends Record<StatementKind, RunOperation> {
  ping(): Promise<void>
  close(): Promise<void>
}

export type RunOperation = (operation: StoreOperation, args: readonly unknown[]) => Promise<unknown>

/** A statement with its name, which threads receive. The table of the port checks its arguments. */
export interface StoreOperation {
  name: string
  run(db: Db, ...args: unknown[]): Promise<unknown>
}
