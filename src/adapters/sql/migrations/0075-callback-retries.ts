import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Retries of callbacks for a day. Null: the three attempts of earlier callbacks. */
export const createCallbackRetries: MigrationStep = ({ text, integer }) => [
  sql`
    alter table organizations add column callback_retries ${text} default 'default' not null
    check (callback_retries in ('default', 'extended'))`,
  sql`alter table video_callbacks add column retry_until_ms ${integer}`,
]
