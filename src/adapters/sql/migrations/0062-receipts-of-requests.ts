import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Request ids of receipts, by which a receipt is found even after its usage row was dropped. */
export const createReceiptsOfRequests: MigrationStep = ({ id }) => [
  sql`alter table receipts add column request_id ${id}`,
  sql`
    update receipts set request_id = (select request_id from text_usage
    where text_usage.id = receipts.id) where id like 'use%'`,
  sql`create index receipts_of_requests on receipts (request_id) where request_id is not null`,
]
