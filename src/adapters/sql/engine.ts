import type { StatementKind } from './statement.ts'
import type { Db } from './tables.ts'

/** Runs statements by their kind. */
export interface Engine extends Record<StatementKind, RunOperation> {
  ping(): Promise<void>
  close(): Promise<void>
}

export type RunOperation = (operation: StoreOperation, args: readonly unknown[]) => Promise<unknown>

/** A statement and its name; threads receive only the name. Its types are checked in the table of its port. */
export interface StoreOperation {
  name: string
  run(db: Db, ...args: unknown[]): Promise<unknown>
}
