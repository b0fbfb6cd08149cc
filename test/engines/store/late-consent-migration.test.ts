import { sql } from 'kysely'
import { expect } from 'vitest'
import { unchainedRevocationsQuery } from '../../../src/adapters/sql/receipts/receipts.ts'
import { testMigration } from './test-migration.ts'

testMigration('0061-late-consent', 'revocations of before owe an entry only where they have none', {
  async fill(db) {
    await sql`
      insert into revocations (group_id, organization_id, verified_at_ms, revoked_at_ms)
      values ('group_1', 'org_1', 1, 2), ('group_2', 'org_1', 1, 3)`.execute(db)
    await sql`
      insert into receipts (id, organization_id, number, hash, jws, made_at_ms)
      values ('group_1', 'org_1', 1, 'x', '{}', 4)`.execute(db)
  },
  async check(db) {
    const marked = await sql`select group_id from revocations where has_receipt`.execute(db)
    expect(marked.rows).toEqual([{ group_id: 'group_1' }])
    const { rows } = await unchainedRevocationsQuery({ limit: 9 }).execute(db)
    expect(rows).toMatchObject([{ groupId: 'group_2' }])
  },
})
