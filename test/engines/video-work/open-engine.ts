import type { Store } from '../../../src/ports/store.ts'
import { type LentStore, lendPostgres, lendSqlite } from '../store/lend-store.ts'

/** A store for one test, which several programs can open at the same time. */
export interface OpenedEngine {
  store: Store
  /** Another program on the same rows. */
  openAgain(): Promise<Store>
  cleanUp(): Promise<void>
}

export const ENGINES: readonly (readonly [name: string, open: () => Promise<OpenedEngine>])[] = [
  ['SQLite', openSqlite],
  ['PostgreSQL', () => opened(lendPostgres)],
]

export function openSqlite(): Promise<OpenedEngine> {
  return opened(lendSqlite)
}

async function opened(lend: () => Promise<LentStore>): Promise<OpenedEngine> {
  const { store, openAgain, giveBack } = await lend()
  return { store, openAgain, cleanUp: giveBack }
}
