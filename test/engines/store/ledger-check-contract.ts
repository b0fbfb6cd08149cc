import { beforeEach, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { GetOpened } from './opened-store.ts'
import { createFunded, HOUR_MS, sampleCost, sampleGroup, sampleHold } from './sample-money.ts'
import { MORNING_MS, sampleApiKey, sampleAudit, sampleUser } from './sample-rows.ts'

/** Breaks invariants by hand: the check finds each of them, and finds nothing in a sound store. */
export function describeLedgerCheck(opened: GetOpened): void {
  const check = (nowMs = MORNING_MS, limit = 10) => opened().store.ledger.check({ nowMs, limit })
  const settle = (holdId: string) => {
    const cost = sampleCost(10)
    return opened().store.ledger.settle({ holdId, entryId: `ent_${holdId}`, cost, atMs: MORNING_MS })
  }

  async function insertTask(id: string, status: string, owesCallback = 'false'): Promise<void> {
    await opened().runSql(`
      insert into video_tasks (id, api_key_id, organization_id, user_id, model, status, created_at_ms, owes_callback)
      values ('${id}', 'key_1', 'org_1', 'usr_1', 'vendorA/gen-2.0', '${status}', ${MORNING_MS}, ${owesCallback})`)
  }

  /** Rows of every kind: an open task, ended tasks, an allowance and usage. */
  async function liveSoundly(): Promise<void> {
    const { store, runSql } = opened()
    await createFunded(store, { balance: 10_000 })
    await store.users.create(sampleUser(), sampleAudit())
    await store.apiKeys.create(sampleApiKey(), sampleAudit())
    for (const state of ['open', 'settled', 'released', 'expired']) {
      await store.ledger.hold(
        sampleHold({
          id: `hold_${state}`,
          taskId: `task_${state}`,
          expiresAtMs: state === 'expired' ? MORNING_MS : MORNING_MS + HOUR_MS,
        }),
      )
    }
    await settle('hold_settled')
    await store.ledger.release({ holdId: 'hold_released', atMs: MORNING_MS })
    await store.ledger.expire({ nowMs: MORNING_MS, limit: 5 })
    await insertTask('task_submitting', 'submitting')
    await insertTask('task_open', 'running', 'true')
    await insertTask('task_settled', 'succeeded', 'true')
    await insertTask('task_released', 'failed')
    await insertTask('task_expired', 'failed')
    await runSql(
      `insert into video_callbacks (id, task_id, created_at_ms) values ('cb_1', 'task_settled', 1)`,
    )
    await store.usage.lease({
      holdId: 'hold_a',
      organizationId: 'org_1',
      amountsMicros: [micros(50)],
      nowMs: MORNING_MS,
      expiresAtMs: MORNING_MS + HOUR_MS,
    })
    await store.usage.write(sampleGroup())
  }

  describe('the check of the ledger', () => {
    beforeEach(liveSoundly)

    test('finds nothing in a sound store', async () => {
      expect(await check()).toEqual([])
    })

    test.each<[what: string, sql: string, first: number, subject: string, message: string, also?: number[]]>([
      [
        'a balance that is not the sum of its entries',
        "update organizations set balance_micros = 10000 where id = 'org_1'",
        1,
        'org_1',
        'The balance is 10000 micros, its ledger entries add up to 9980.',
      ],
      [
        'a balance without entries',
        `insert into organizations (id, name, billing, balance_micros, webhook_secret, created_at_ms)
         values ('org_2', '', 'prepaid', 5, '', 1)`,
        1,
        'org_2',
        'The balance is 5 micros, its ledger entries add up to 0.',
      ],
      [
        'a held amount that is not the sum of the open holds',
        "update organizations set held_micros = 141 where id = 'org_1'",
        2,
        'org_1',
        'Held are 141 micros, its open holds add up to 140.',
      ],
      [
        'something held without holds',
        `insert into organizations (id, name, billing, held_micros, webhook_secret, created_at_ms)
         values ('org_2', '', 'postpaid', 5, '', 1)`,
        2,
        'org_2',
        'Held are 5 micros, its open holds add up to 0.',
      ],
      [
        'a task without a hold',
        `insert into video_tasks (id, api_key_id, organization_id, user_id, model, status, created_at_ms)
         values ('task_x', 'key_1', 'org_1', 'usr_1', 'vendorA/gen-2.0', 'queued', 1)`,
        4,
        'task_x',
        'The task is queued and has no hold.',
      ],
      [
        'an ended task with an open hold',
        "update video_tasks set status = 'failed', owes_callback = false where id = 'task_open'",
        4,
        'task_open',
        'The task is failed and its hold hold_open is open.',
      ],
      [
        'a charge for a task that failed',
        "update video_tasks set status = 'failed' where id = 'task_settled'",
        4,
        'task_settled',
        'The task is failed and its hold hold_settled is settled.',
      ],
      [
        'a succeeded task that was not charged',
        "update video_tasks set status = 'succeeded' where id = 'task_released'",
        4,
        'task_released',
        'The task is succeeded and its hold hold_released is released.',
      ],
      [
        'an open task whose hold was given back',
        "update video_tasks set status = 'queued' where id = 'task_released'",
        4,
        'task_released',
        'The task is queued and its hold hold_released is released.',
      ],
      [
        'a settled hold without its entry',
        "update holds set state = 'settled' where id = 'hold_expired'",
        4,
        'hold_expired',
        'The hold is settled and has 0 settlement entries.',
        [4],
      ],
      [
        'a settlement of a hold that was not settled',
        "update holds set state = 'expired' where id = 'hold_settled'",
        4,
        'hold_settled',
        'The hold is expired and has 1 settlement entries.',
        [10],
      ],
      [
        'a hold of another organization than its task',
        "update video_tasks set organization_id = 'org_3' where id = 'task_open'",
        4,
        'hold_open',
        'The hold belongs to org_1, and its task task_open to org_3.',
      ],
      [
        'a refund of what was never charged',
        `insert into ledger_entries (id, organization_id, kind, amount_micros, hold_id, created_at_ms)
         values ('ent_r', 'org_1', 'refund', 0, 'hold_released', 1)`,
        4,
        'ent_r',
        'The refund is for the hold hold_released, which was never charged.',
        [12],
      ],
      [
        'an ended task that owes a callback and has none',
        "delete from video_callbacks where task_id = 'task_settled'",
        5,
        'task_settled',
        'The task is succeeded, owes a callback and has none.',
      ],
      [
        'an open hold long after its deadline',
        `update holds set expires_at_ms = ${MORNING_MS - 86_401_000} where id = 'hold_open'`,
        6,
        'hold_open',
        'The hold is open 86401 s after its deadline.',
      ],
      [
        'a usage row that costs more than its entry took',
        "update text_usage set cost_micros = 11, price_lines = null where id = 'use_1'",
        7,
        'grp_1:org_1',
        'The entry stands for 10 micros, its usage rows cost 11.',
        [11, 13, 13],
      ],
      [
        'a usage entry whose rows are gone',
        "delete from text_usage where id = 'use_1'",
        7,
        'grp_1:org_1',
        'The entry stands for 10 micros, its usage rows cost 0.',
        [11, 13, 13],
      ],
    ])('finds %s', async (_what, text, invariant, subject, message, also = []) => {
      await createFunded(opened().store, { id: 'org_3', balance: 0 })
      await opened().runSql(text)
      const found = await check()
      expect(found).toContainEqual({ invariant, subject, message })
      expect(found.map((each) => each.invariant)).toEqual([invariant, ...also])
    })

    test('finds a charge of another organization than its hold', async () => {
      await createFunded(opened().store, { id: 'org_3', billing: 'postpaid', balance: 0 })
      await opened().runSql(
        "update ledger_entries set organization_id = 'org_3' where id = 'ent_hold_settled'",
      )
      await opened().runSql("update organizations set balance_micros = -10 where id = 'org_3'")
      await opened().runSql("update organizations set balance_micros = 9990 where id = 'org_1'")
      expect(await check()).toEqual([
        {
          invariant: 4,
          subject: 'ent_hold_settled',
          message: 'The settlement belongs to org_3, and its hold hold_settled to org_1.',
        },
      ])
    })

    test('finds sums beyond the safe integers, and continues with other organizations', async () => {
      for (const id of ['ent_x', 'ent_y']) {
        await opened().runSql(`
          insert into ledger_entries (id, organization_id, kind, amount_micros, created_at_ms)
          values ('${id}', 'org_1', 'credit', ${Number.MAX_SAFE_INTEGER}, 1)`)
      }
      for (const id of ['hold_x', 'hold_y']) {
        await opened().runSql(`
          insert into holds (id, organization_id, kind, amount_micros, state, created_at_ms, expires_at_ms)
          values ('${id}', 'org_1', 'allowance', ${Number.MAX_SAFE_INTEGER}, 'open', 1, ${MORNING_MS})`)
      }
      await opened().runSql("delete from video_callbacks where task_id = 'task_settled'")
      expect(await check()).toMatchObject([
        {
          invariant: 1,
          subject: 'org_1',
          message: 'The balance is 9980 micros, its ledger entries add up to 18014398509491962.',
        },
        { invariant: 2, message: 'Held are 140 micros, its open holds add up to 18014398509482122.' },
        { invariant: 5 },
        { invariant: 12 },
        { invariant: 12 },
      ])
    })

    test('finds a prepaid balance below what is held', async () => {
      await createFunded(opened().store, { id: 'org_2', billing: 'postpaid', balance: 0 })
      await opened().store.ledger.hold(sampleHold({ organizationId: 'org_2', amount: 7 }))
      await opened().runUnchecked("update organizations set billing = 'prepaid' where id = 'org_2'")
      expect(await check()).toEqual([
        {
          invariant: 3,
          subject: 'org_2',
          message: 'A prepaid balance of 0 micros is less than the 7 that are held.',
        },
      ])
    })

    test('finds a usage row without its entry', async () => {
      await opened().runSql(
        "update text_usage set entry_id = 'ent_lost', cost_micros = 0, price_lines = null where id = 'use_1'",
      )
      await opened().runSql("update ledger_entries set amount_micros = 0 where id = 'grp_1:org_1'")
      await opened().runSql(
        "update organizations set balance_micros = balance_micros + 10 where id = 'org_1'",
      )
      await opened().runSql('update user_days set used_micros = used_micros - 10')
      expect((await check()).filter(({ invariant }) => invariant < 13)).toEqual([
        {
          invariant: 7,
          subject: 'use_1',
          message: 'The usage row names the ledger entry ent_lost, which is not there.',
        },
      ])
    })

    test('allows a minute for the expiry of the hold of a dropped task', async () => {
      const deadlineMs = MORNING_MS + HOUR_MS
      await opened().runSql("delete from video_tasks where id = 'task_open'")
      expect(await check(deadlineMs + 60_000)).toEqual([])
      expect(await check(deadlineMs + 60_001)).toMatchObject([{ invariant: 6, subject: 'hold_open' }])
    })

    test('allows a stopped server a day for its allowances and for open tasks', async () => {
      const deadlineMs = MORNING_MS + HOUR_MS
      expect(await check(deadlineMs + 24 * HOUR_MS)).toEqual([])
      const message = 'The allowance is open 86400 s after its deadline.'
      expect(await check(deadlineMs + 24 * HOUR_MS + 1)).toMatchObject([
        { invariant: 6, subject: 'hold_a', message },
        { invariant: 6, subject: 'hold_open' },
      ])
      await opened().store.demo.mark('org_1')
      expect(await check(deadlineMs + 24 * HOUR_MS + 1)).toEqual([])
    })

    test('stops at the limit of each invariant', async () => {
      await opened().runSql("update holds set state = 'settled', ended_at_ms = 1")
      await opened().runSql('delete from video_callbacks')
      const found = await check(MORNING_MS, 2)
      expect(found.map(({ invariant }) => invariant)).toEqual([2, 4, 4, 5, 11])
    })
  })
}
