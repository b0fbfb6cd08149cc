import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Far } from '../../ports/tasks.ts'
import { dueAssets } from './assets/claim-due-assets.ts'
import { DUE_CALLBACKS } from './callbacks.ts'
import type { Queue } from './fair-claim.ts'
import { DUE_EVENTS } from './organization-events.ts'
import type { Tables } from './tables.ts'
import { dueTasks } from './video-tasks/claim-due-tasks.ts'

export function bringTasksForward(db: Kysely<Tables>, far: Far & { provider: string }): Promise<number> {
  return bringForward(db, dueTasks(far.provider), far)
}

export function bringCallbacksForward(db: Kysely<Tables>, far: Far): Promise<number> {
  return bringForward(db, DUE_CALLBACKS, far)
}

export function bringEventsForward(db: Kysely<Tables>, far: Far): Promise<number> {
  return bringForward(db, DUE_EVENTS, far)
}

export function bringAssetsForward(db: Kysely<Tables>, far: Far & { provider: string }): Promise<number> {
  return bringForward(db, dueAssets(far.provider), far)
}

async function bringForward(
  db: Kysely<Tables>,
  { table, waiting, moment }: Queue,
  { nowMs, farthestMs }: Far,
): Promise<number> {
  const at: RawBuilder<unknown> = sql.ref(moment)
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${at} = ${nowMs} where ${waiting} and ${at} > ${farthestMs}`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
