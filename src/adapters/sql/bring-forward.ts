import { type RawBuilder, sql } from 'kysely'
import type { Far } from '../../ports/tasks.ts'
import type { Queue } from './fair-claim.ts'
import type { Db } from './tables.ts'

/** Makes rows due now whose due time is too far ahead, as after a jump of the clock. Returns their number. */
export function bringForward<From extends Far>(queueOf: (far: From) => Queue) {
  return async (db: Db, far: From): Promise<number> => {
    const { table, waiting, dueColumn } = queueOf(far)
    const at: RawBuilder<unknown> = sql.ref(dueColumn)
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set ${at} = ${far.nowMs}
      where ${waiting} and ${at} > ${far.farthestMs}`.execute(db)
    return Number(numAffectedRows ?? 0n)
  }
}
