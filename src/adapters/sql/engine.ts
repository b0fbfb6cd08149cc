import type { StatementKind } from './statement.ts'
import type { Db } from './tables.ts'

/** Where statements run, by how they run. */
export interface Engine extends Record<StatementKind, RunOperation> {
  ping(): Promise<void>
  close(): Promise<void>
}

export type RunOperation = (operation: StoreOperation, args: readonly unknown[]) => Promise<unknown>

/** A statement with its name, by which threads know it. Its types were checked in its table. */
export interface StoreOperation {
  name: string
  run(db: Db, ...args: unknown[]): Promise<unknown>
}
