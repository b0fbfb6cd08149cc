import type { ColumnTypes } from '../column-types.ts'

export function clips(columns: ColumnTypes): string {
  return `${clipsTable(columns, { kinds: "'video', 'last_frame'", constraint: 'clips_of_task' })};
    ${INDEXES}`
}

/** Makes the table again, because SQLite cannot change a check. The rename keeps other writers out until the end. */
export function clipsOfAssets(columns: ColumnTypes): string {
  return `
    alter table clips rename to old_clips;
    ${clipsTable(columns, { kinds: "'video', 'last_frame', 'upload', 'asset'", constraint: 'clips_of_subject' })};
    insert into clips select * from old_clips;
    drop table old_clips;
    ${INDEXES}`
}

function clipsTable(
  { id, text, integer, boolean, no, strict }: ColumnTypes,
  { kinds, constraint }: { kinds: string; constraint: string },
): string {
  return `
    -- Copies of the files of finished tasks, and of assets, whose id stands in task_id. A row outlives task and file, because its hash proves an origin.
    create table clips (
      id ${id} primary key not null,
      task_id ${id} not null,
      organization_id ${id} not null,
      api_key_id ${id} not null,
      provider ${id} not null,
      model ${id} not null,
      kind ${text} not null check (kind in (${kinds})),
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
      constraint ${constraint} unique (task_id, kind)
    ) ${strict}`
}

const INDEXES = `
    create index clips_due on clips (organization_id, next_attempt_at_ms) where state = 'copying';
    create index clips_leaving on clips (kept_until_ms) where state = 'kept';
    create index clips_with_files on clips (next_attempt_at_ms)
      where state in ('given-up', 'erased') and store_key is not null;
    create index clips_kept on clips (organization_id, bytes) where state = 'kept';
    create index clips_by_hash on clips (sha256) where sha256 is not null;
    create index clips_by_source on clips (source_sha256) where source_sha256 is not null;
    create index clips_owing_receipts on clips (id) where owes_receipt;
    create index clips_paged on clips (organization_id, id)`
