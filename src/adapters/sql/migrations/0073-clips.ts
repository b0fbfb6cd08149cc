import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Copies of finished videos. A row outlives task and file, because its hash proves an origin. */
export const createClips: MigrationStep = ({ id, text, integer, boolean, no, strict }) => [
  sql`
    create table clips (
      id ${id} primary key not null,
      task_id ${id} not null,
      organization_id ${id} not null,
      api_key_id ${id} not null,
      provider ${id} not null,
      model ${id} not null,
      kind ${text} not null check (kind in ('video', 'last_frame')),
      state ${text} not null check (state in ('copying', 'kept', 'given-up', 'erased')),
      reason ${text},
      consent ${text} not null check (consent in ('none', 'given', 'withdrawn')),
      created_at_ms ${integer} not null,
      sha256 ${id},
      source_sha256 ${id},
      bytes ${integer},
      media_type ${text},
      duration_ms ${integer},
      width ${integer},
      height ${integer},
      watermark ${boolean},
      marks ${text},
      store_key ${text},
      kept_at_ms ${integer},
      kept_until_ms ${integer},
      owes_receipt ${boolean} default ${no} not null,
      attempt_count ${integer} default 0 not null,
      attempts_allowed ${integer} not null,
      next_attempt_at_ms ${integer} not null,
      fence ${integer} default 0 not null,
      constraint clips_of_task unique (task_id, kind)
    ) ${strict}`,
  sql`create index clips_due on clips (organization_id, next_attempt_at_ms) where state = 'copying'`,
  sql`create index clips_leaving on clips (kept_until_ms) where state = 'kept'`,
  sql`
    create index clips_with_files on clips (next_attempt_at_ms)
    where state in ('given-up', 'erased') and store_key is not null`,
  sql`create index clips_kept on clips (organization_id, bytes) where state = 'kept'`,
  sql`create index clips_by_hash on clips (sha256) where sha256 is not null`,
  sql`create index clips_by_source on clips (source_sha256) where source_sha256 is not null`,
  sql`create index clips_owing_receipts on clips (id) where owes_receipt`,
  sql`create index clips_paged on clips (organization_id, id)`,
  sql`
    alter table organizations add column keep_media ${text}
    check (keep_media in ('on', 'off'))`,
  sql`alter table revocations add column files ${text}`,
]
