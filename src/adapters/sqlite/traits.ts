import type { EngineTraits } from '../sql/engine-traits.ts'

export const SQLITE_TRAITS: EngineTraits = {
  /** A write transaction of SQLite already keeps every other writer out of the whole file. */
  lockTable: async () => {},
}
