import { sql } from 'kysely'
import { expect } from 'vitest'
import { testMigration } from './test-migration.ts'

testMigration('0062-receipts-of-requests', 'receipts of before have the request ids of rows that are kept', {
  async fill(db) {
    await sql`
      insert into text_usage (id, request_id, organization_id, user_id, api_key_id, model, day, input_tokens,
        cached_input_tokens, cache_write_tokens, output_tokens, cost_micros, outcome, duration_ms, entry_id, created_at_ms)
      values ('use_1', 'req_1', 'org_1', 'usr_1', 'key_1', 'm', '2030-01-02', 1, 0, 0, 1, 5, 'completed', 1, 'entry_1', 1)`.execute(
      db,
    )
    await sql`
      insert into receipts (id, organization_id, number, hash, jws, made_at_ms)
      values ('use_1', 'org_1', 1, 'x', '{}', 4), ('use_2', 'org_1', 2, 'y', '{}', 4), ('task_1', 'org_1', 3, 'z', '{}', 4)`.execute(
      db,
    )
  },
  async check(db) {
    const { rows } = await sql`select id, request_id from receipts order by number`.execute(db)
    expect(rows).toMatchObject([
      { id: 'use_1', request_id: 'req_1' },
      { id: 'use_2', request_id: null },
      { id: 'task_1', request_id: null },
    ])
  },
})
