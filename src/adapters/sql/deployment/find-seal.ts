import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import { DEPLOYMENT_ID } from './probe-deployment.ts'

export async function findSeal(db: Kysely<Tables>, _none: object): Promise<string | undefined> {
  const row = await db
    .selectFrom('deployment')
    .select('sealed')
    .where('id', '=', DEPLOYMENT_ID)
    .executeTakeFirst()
  return row?.sealed
}
