import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { LONG_ATTEMPTS_MAX } from '../../../domain/callbacks/callback-retry.ts'
import {
  EVENT_TYPES,
  type EventData,
  type EventType,
  type NewEvent,
  OPERATOR_RECEIVER,
} from '../../../domain/events/event.ts'
import type { Db } from '../tables.ts'

/**
 * Writes each event for operators, and for its organization if the organization has an address. Both rows are due
 * immediately. An event whose cause is stored already is skipped. Returns the ids of the new rows for operators.
 */
export async function insertEvents(db: Db, events: readonly NewEvent[]): Promise<string[]> {
  const ids: string[] = []
  for (const event of events) {
    const { organizationId, type } = event
    const { rows } = await sql<{ id: string }>`
      insert into events ${COLUMNS} values (${valuesOf(event, OPERATOR_RECEIVER)})
      on conflict (organization_id, cause) do nothing returning id`.execute(db)
    ids.push(...rows.map(({ id }) => id))
    if (organizationId !== null && EVENT_TYPES[type].isForCustomers)
      await sql`
        insert into events ${COLUMNS} select ${valuesOf(event, organizationId)}
        from organizations where id = ${organizationId} and events_url is not null
        on conflict (organization_id, cause) do nothing`.execute(db)
  }
  return ids
}

type OrganizationData<Type extends EventType> = EventData[Type] & { organization_id: string }

/** Writes one event per row. Events of an organization with the same occasion have the same cause. */
export async function insertEventsOf<Type extends EventType>(
  db: Db,
  type: Type,
  rows: readonly OrganizationData<Type>[],
  {
    atMs,
    occasionOf = () => atMs,
  }: { atMs: number; occasionOf?(row: OrganizationData<Type>): string | number },
): Promise<void> {
  const events = rows.map((row) => {
    const { organization_id: organizationId } = row
    return { type, organizationId, cause: `${type}:${organizationId}:${occasionOf(row)}`, data: row, atMs }
  })
  await insertEvents(db, events)
}

const COLUMNS = sql`
  (id, organization_id, type, cause, data, created_at_ms, state, attempts_allowed, next_attempt_at_ms)`

function valuesOf({ type, cause, data, atMs }: NewEvent, receiver: string) {
  const at = sql`cast(${atMs} as bigint)`
  return sql`${eventIdOf(receiver, cause, atMs)}, ${receiver}, ${type}, ${cause}, ${JSON.stringify(data)}, ${at}, 'pending',
    ${sql.lit(LONG_ATTEMPTS_MAX)}, ${at}`
}

/** Makes an id from time, receiver and cause, so that ids sort by time. */
function eventIdOf(receiver: string, cause: string, atMs: number): string {
  const digest = createHash('sha256').update(`${receiver}\n${cause}`).digest('hex')
  return `evt_${atMs.toString(16).padStart(12, '0')}${digest.slice(0, 20)}`
}
