import { type CompiledQuery, type Dialect, Kysely } from 'kysely'
import type { EngineTraits } from '../../src/adapters/sql/engine-traits.ts'
import { openHold } from '../../src/adapters/sql/ledger/open-hold.ts'
import { settleHold } from '../../src/adapters/sql/ledger/settle-hold.ts'
import type { Tables } from '../../src/adapters/sql/tables.ts'
import { holdOf, settlementOf } from '../ledger-run.ts'

/** The statements of a hold and of its settlement, in order. */
export interface RecordedPair {
  hold: RecordedStatement[]
  settlement: RecordedStatement[]
}

export interface RecordedStatement {
  text: string
  /** Its values for a pair with this id. */
  parametersOf(id: string): unknown[]
}

/**
 * Makes one pair, with this id, in the store's own code and records its statements, so that a bare peer always runs the
 * same statements.
 */
export async function recordPair(
  recordedId: string,
  { dialect, traits }: { dialect: Dialect; traits: EngineTraits },
): Promise<RecordedPair> {
  let statements: RecordedStatement[] = []
  const db = new Kysely<Tables>({
    dialect,
    log: ({ query }) => {
      statements.push(toRecorded(recordedId, query))
    },
  })
  await openHold(db, holdOf(recordedId), traits)
  const hold = statements
  statements = []
  await settleHold(db, settlementOf(recordedId), traits)
  return { hold, settlement: statements }
}

function toRecorded(
  recordedId: string,
  { sql: text, parameters: recorded }: CompiledQuery,
): RecordedStatement {
  const idPlaces = placesOf(recorded, recordedId)
  const entryPlaces = placesOf(recorded, settlementOf(recordedId).entryId)
  return {
    text,
    parametersOf: (id) => {
      const parameters = recorded.slice()
      for (const place of idPlaces) parameters[place] = id
      for (const place of entryPlaces) parameters[place] = settlementOf(id).entryId
      return parameters
    },
  }
}

function placesOf(values: readonly unknown[], wanted: string): number[] {
  return values.flatMap((value, place) => (value === wanted ? [place] : []))
}
