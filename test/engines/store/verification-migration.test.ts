import { sql } from 'kysely'
import { expect } from 'vitest'
import { testMigration } from './test-migration.ts'

testMigration(
  '0011-verification-ends',
  'verifications of before keep their tokens only while they are open',
  {
    async fill(db) {
      await sql`
      insert into verifications
        (id, organization_id, provider, state_digest, sealed_token, sealed_callback_url, created_at_ms, expires_at_ms,
        sealed_redirect, ended_at_ms)
      values ('ver_1', 'org_1', 'vendorA', 'd1', 'token-1', 'callback', 1, 2, null, null),
        ('ver_2', 'org_1', 'vendorA', 'd2', 'token-2', 'callback', 1, 2, 'redirect', 2)`.execute(db)
    },
    async check(db) {
      const rows = await db
        .selectFrom('verifications')
        .select(['id', 'sealed_token', 'sealed_redirect', 'language'])
        .orderBy('id')
        .execute()
      expect(rows).toEqual([
        { id: 'ver_1', sealed_token: 'token-1', sealed_redirect: null, language: null },
        { id: 'ver_2', sealed_token: null, sealed_redirect: 'redirect', language: null },
      ])
    },
  },
)
