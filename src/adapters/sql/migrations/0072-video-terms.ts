import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Terms of a video model: JSON of the values that its orders may have, and who decides about the vendor's mark. */
export const createVideoTerms: MigrationStep = ({ text }) => [
  sql`alter table models add column bounds ${text}`,
  sql`alter table models add column watermark ${text} check (watermark in ('vendor', 'off', 'client'))`,
]
