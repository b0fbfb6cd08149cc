import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Ids are no references, because an audit row stays when other rows are deleted. */
export const createAudit: MigrationStep = ({ id, text, integer, strict }) => [
  sql`
    create table audit_events (
      id ${id} primary key not null,
      at_ms ${integer} not null,
      actor ${text} not null,
      action ${text} not null,
      organization_id ${id},
      subject ${text} not null,
      detail ${text} not null
    ) ${strict}`,
]
