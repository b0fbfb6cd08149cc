import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Indexes for the filters of lists, newest first, without the most common values. */
const INDEXES = {
  video_tasks_by_status: sql`video_tasks (status, id)`,
  video_tasks_of_status: sql`video_tasks (organization_id, status, id)`,
  video_tasks_by_model: sql`video_tasks (model, id)`,
  video_tasks_open: sql`video_tasks (id) where status in ('submitting', 'queued', 'running')`,
  ledger_entries_by_kind: sql`ledger_entries (kind, id) where kind <> 'usage'`,
  ledger_entries_of_kind: sql`ledger_entries (organization_id, kind, id) where kind <> 'usage'`,
  video_callbacks_by_state: sql`video_callbacks (state, task_id)`,
  audit_events_by_actor: sql`audit_events (actor, id)`,
  audit_events_by_action: sql`audit_events (action, id)`,
  audit_events_by_subject: sql`audit_events (subject, id)`,
  assets_by_status: sql`assets (status, id)`,
  assets_of_status: sql`assets (organization_id, status, id)`,
  asset_groups_by_kind: sql`asset_groups (kind, id)`,
}

export const createPageFilters: MigrationStep = () =>
  Object.entries(INDEXES).map(([name, columns]) => sql`create index ${sql.ref(name)} on ${columns}`)
