import { beforeEach, describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { MORNING_MS, sampleApiKey, sampleAudit, sampleOrganization, sampleUser } from './sample-rows.ts'

export function describeUsers(opened: GetOpened): void {
  const users = () => opened().store.users

  describe('users', () => {
    beforeEach(() => opened().store.organizations.create(sampleOrganization(), sampleAudit()))

    test('are restored as they were made, without a limit', async () => {
      expect(await users().create(sampleUser(), sampleAudit())).toBe(true)
      expect(await users().find('usr_1')).toStrictEqual({
        id: 'usr_1',
        organizationId: 'org_1',
        name: 'Ada',
        maxDailyUserLimit: null,
        enableLimit: false,
        createdAtMs: MORNING_MS,
        disabledAtMs: null,
      })
    })

    test('are not made in an unknown organization', async () => {
      expect(await users().create(sampleUser({ organizationId: 'org_2' }), sampleAudit())).toBe(false)
      expect(await users().find('usr_1')).toBeUndefined()
    })

    test('are listed per organization, oldest first', async () => {
      await opened().store.organizations.create(sampleOrganization({ id: 'org_2' }), sampleAudit())
      await users().create(sampleUser({ id: 'usr_b', createdAtMs: MORNING_MS + 1 }), sampleAudit())
      await users().create(sampleUser({ id: 'usr_c' }), sampleAudit())
      await users().create(sampleUser({ id: 'usr_other', organizationId: 'org_2' }), sampleAudit())
      expect((await users().list('org_1')).map(({ id }) => id)).toEqual(['usr_c', 'usr_b'])
      expect(await users().list('org_3')).toEqual([])
    })

    test('are deleted with their keys by an operator', async () => {
      await users().create(sampleUser(), sampleAudit())
      await opened().store.apiKeys.create(sampleApiKey(), sampleAudit())
      await opened().runSql("delete from users where id = 'usr_1'")
      expect(await users().find('usr_1')).toBeUndefined()
      expect(await opened().store.apiKeys.findCaller('digest-1')).toBeUndefined()
    })
  })

  describe("a user's daily limit", () => {
    beforeEach(async () => {
      await opened().store.organizations.create(sampleOrganization(), sampleAudit())
      await users().create(sampleUser(), sampleAudit())
      await users().create(sampleUser({ id: 'usr_2' }), sampleAudit())
    })

    const setLimit = (maxDailyUserLimit: string, enableLimit = true) =>
      users().setLimit({ id: 'usr_1', maxDailyUserLimit, enableLimit }, sampleAudit())

    test.each([
      ['5', '5'],
      ['5.25', '5.25'],
      ['5.250000', '5.25'],
      ['10', '10'],
      ['100.00', '100'],
      ['0.1', '0.1'],
      ['0.000001', '0.000001'],
      ['0', '0'],
      ['-1', '-1'],
      ['1234567.891234', '1234567.891234'],
      ['999999999.999999', '999999999.999999'],
      ['1000000000', '1000000000'],
    ])('of %s is read as %s', async (given, returned) => {
      expect(await setLimit(given)).toMatchObject({ maxDailyUserLimit: returned, enableLimit: true })
      expect(await users().find('usr_1')).toMatchObject({ maxDailyUserLimit: returned, enableLimit: true })
      expect(await users().find('usr_2')).toMatchObject({ maxDailyUserLimit: null, enableLimit: false })
    })

    test.each([
      ['5', '5'],
      ['5.25', '5.25'],
      ["'5.25'", '5.25'],
      ['0.1 + 0.2', '0.3'],
      ['1e-6', '0.000001'],
      ['-3', '-3'],
    ])('that an operator sets to %s reads %s', async (literal, returned) => {
      await opened().runSql(
        `update users set max_daily_user_limit = ${literal}, enable_limit = true where id = 'usr_1'`,
      )
      expect(await users().find('usr_1')).toMatchObject({ maxDailyUserLimit: returned, enableLimit: true })
    })

    test('can be compared as a number by an operator', async () => {
      await setLimit('10.5')
      expect(await opened().runSql('select id from users where max_daily_user_limit > 9')).toEqual([
        { id: 'usr_1' },
      ])
    })

    test('can be switched off and removed by an operator', async () => {
      await setLimit('5')
      await opened().runSql(
        "update users set enable_limit = false, max_daily_user_limit = null where id = 'usr_1'",
      )
      expect(await users().find('usr_1')).toMatchObject({ maxDailyUserLimit: null, enableLimit: false })
    })

    test.each(['a lot', '', 'NaN', '1000000000.000001'])(
      'of "%s" is refused and changes nothing',
      async (limit) => {
        await setLimit('5')
        await expect(setLimit(limit, false)).rejects.toThrow()
        expect(await users().find('usr_1')).toMatchObject({ maxDailyUserLimit: '5', enableLimit: true })
      },
    )

    test('is never switched on or off by an invalid value', async () => {
      await setLimit('5')
      await opened()
        .runSql("update users set enable_limit = 'false' where id = 'usr_1'")
        .catch(() => {})
      const read = await users().find('usr_1')
      const [stored] = await opened().runSql("select enable_limit from users where id = 'usr_1'")
      expect(stored?.enable_limit).not.toBe('false')
      expect(read?.enableLimit).toBe(Boolean(stored?.enable_limit))
      for (const value of ["'perhaps'", '2']) {
        await expect(
          opened().runSql(`update users set enable_limit = ${value} where id = 'usr_1'`),
        ).rejects.toThrow()
      }
    })

    test('of an unknown user cannot be set', async () => {
      expect(
        await users().setLimit({ id: 'usr_9', maxDailyUserLimit: '5', enableLimit: true }, sampleAudit()),
      ).toBeUndefined()
    })
  })
}
