import { describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { sampleAudit, sampleOrganization } from './sample-rows.ts'

/** More writes than a pool has connections, and few enough that each gets a connection in time on a slow disk. */
const WRITES = 25

export function describeLife(opened: GetOpened): void {
  describe('opening and closing', () => {
    test('answers a ping', async () => {
      await expect(opened().store.ping()).resolves.toBeUndefined()
    })

    test('finishes what it has accepted, then refuses', async () => {
      const store = await opened().openAgain()
      const writes = Array.from({ length: WRITES }, (_, index) =>
        store.organizations.create(sampleOrganization({ id: `org_${index}` }), sampleAudit()),
      )
      const reading = store.organizations.list()
      await store.close()
      await Promise.all([...writes, reading])
      expect(await opened().store.organizations.list()).toHaveLength(WRITES)
      await expect(store.organizations.list()).rejects.toMatchObject({ code: 'store_unavailable' })
      await expect(store.organizations.create(sampleOrganization(), sampleAudit())).rejects.toMatchObject({
        code: 'store_unavailable',
      })
      await expect(store.ping()).rejects.toMatchObject({ code: 'store_unavailable' })
      await store.close()
    })

    test('keeps its rows after a second start', async () => {
      await opened().store.organizations.create(sampleOrganization(), sampleAudit())
      const store = await opened().openAgain()
      expect(await store.organizations.find('org_1')).toMatchObject({ id: 'org_1', name: 'Acme' })
      await store.close()
    })

    test('refuses rows that a newer program has changed, with a fix', async () => {
      const { runSql, openAgain } = opened()
      await runSql(
        "insert into sluice_migrations (name, timestamp) values ('9999-later', '2099-01-01T00:00:00.000Z')",
      )
      try {
        await expect(openAgain()).rejects.toThrow(/9999-later.*Update this program/)
      } finally {
        await runSql("delete from sluice_migrations where name = '9999-later'")
      }
    })

    test('accepts that a clock ran backwards between two migrations', async () => {
      const { runSql, openAgain } = opened()
      const [first] = await runSql("select timestamp from sluice_migrations where name = '0021-like-model'")
      await runSql(
        "update sluice_migrations set timestamp = '2099-01-01T00:00:00.000Z' where name = '0021-like-model'",
      )
      const store = await openAgain()
      await store.close()
      await runSql(
        `update sluice_migrations set timestamp = '${first?.timestamp}' where name = '0021-like-model'`,
      )
    })
  })
}
