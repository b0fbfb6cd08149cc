import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Which replies are kept for an organization; null: the setting of the deployment applies. */
export const createKeepReplies: MigrationStep = ({ text }) => [
  sql`
    alter table organizations add column keep_replies ${text}
    check (keep_replies in ('default', 'asked'))`,
]
