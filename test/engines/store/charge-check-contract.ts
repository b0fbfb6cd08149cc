import { beforeEach, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { GetOpened } from './opened-store.ts'
import { createFunded, sampleGroup, sampleUsageRow } from './sample-money.ts'
import { MORNING_MS, sampleApiKey, sampleAudit, sampleFirst, sampleUser } from './sample-rows.ts'
import { beginAccepted, sampleMove } from './sample-task.ts'

/** Plants what a slip of an operator or a fault in the code could leave behind, with sums that still add up. */
export function describeChargeCheck(opened: GetOpened): void {
  const check = (limit = 10) => opened().store.ledger.check({ nowMs: MORNING_MS, limit })
  const run = async (...texts: string[]) => {
    for (const text of texts) await opened().runSql(text)
  }

  /** 10,000 micros of credit; 60 charged for task_done and 15 of it refunded; 100 held for task_open; 10 of text. */
  async function spendSoundly(): Promise<void> {
    const { store } = opened()
    await createFunded(store, { balance: 10_000 })
    await store.users.create(sampleUser(), sampleAudit())
    await store.apiKeys.create(sampleApiKey(), sampleAudit())
    for (const id of ['task_done', 'task_open', 'task_failed']) {
      await beginAccepted(store, { id, owesCallback: false })
    }
    await store.tasks.move(sampleMove('succeeded', { id: 'task_done' }))
    await store.tasks.move(sampleMove('failed', { id: 'task_failed' }))
    await store.usage.write(sampleGroup({ allowances: {} }))
    await store.ledger.refund(
      { entryId: 'ent_refund', taskId: 'task_done', amountMicros: micros(15), note: null, atMs: MORNING_MS },
      sampleAudit({ action: 'ledger.refund' }),
    )
  }

  describe('the check of every charge', () => {
    beforeEach(spendSoundly)

    test('finds nothing if every charge is right', async () => {
      expect(await check()).toEqual([])
      expect(await opened().store.ledger.countUnmeasured()).toBe(0)
    })

    test('finds a settlement ten times too high', async () => {
      await run(
        "update ledger_entries set amount_micros = -600 where id = 'ent_task_done_succeeded'",
        "update organizations set balance_micros = balance_micros - 540 where id = 'org_1'",
        "update user_days set used_micros = used_micros + 540 where user_id = 'usr_1'",
        ...['usage_rollup_hour', 'usage_rollup_day'].map(
          (table) => `update ${table} set cost_micros = cost_micros + 540 where model = 'vendorA/gen-2.0'`,
        ),
      )
      expect(await check()).toEqual([
        {
          invariant: 8,
          subject: 'ent_task_done_succeeded',
          message:
            'The settlement charged 600 micros and lost 0, but 60 video_token at 1000000 micros cost 60.',
        },
      ])
    })

    test('finds a settlement at another price than that of its task', async () => {
      await run(
        "update video_tasks set pricing = replace(pricing, '1000000', '7000000') where id = 'task_done'",
      )
      expect(await check()).toEqual([
        {
          invariant: 8,
          subject: 'ent_task_done_succeeded',
          message:
            'The settlement is at 1000000 micros per video_token, its task task_done was taken at 7000000 per video_token.',
        },
      ])
    })

    test('finds a measured quantity below zero', async () => {
      await run("update ledger_entries set cost_quantity = -5 where id = 'ent_task_done_succeeded'")
      expect(await check()).toMatchObject([{ invariant: 8, subject: 'ent_task_done_succeeded' }])
    })

    test('leaves out a settlement from before measures were kept, and counts it', async () => {
      await run(
        `update ledger_entries set cost_unit = null, cost_quantity = null, cost_price_micros = null
         where id = 'ent_task_done_succeeded'`,
      )
      expect(await check()).toEqual([])
      expect(await opened().store.ledger.countUnmeasured()).toBe(1)
    })

    test('finds every wrong settlement among more than one page of settlements', async () => {
      const ids = Array.from({ length: 2_100 }, (_, index) => `x${String(index).padStart(4, '0')}`)
      const holds = ids.map(
        (id) => `('hold_${id}', 'org_1', 'task', 'usr_1', '2023-11-14', 'task_${id}', 1, 'settled', 1, 2, 2)`,
      )
      const entries = ids.map((id, index) => {
        const quantity = index % 1_000 === 0 ? 2 : 1
        return `('ent_${id}', 'org_1', 'settlement', -1, 'hold_${id}', 1, 'second', ${quantity}, 1)`
      })
      await run(
        `insert into holds (id, organization_id, kind, user_id, day, task_id, amount_micros, state, created_at_ms,
           expires_at_ms, ended_at_ms) values ${holds.join(', ')}`,
        `insert into ledger_entries (id, organization_id, kind, amount_micros, hold_id, created_at_ms, cost_unit,
           cost_quantity, cost_price_micros) values ${entries.join(', ')}`,
        "update organizations set balance_micros = balance_micros - 2100 where id = 'org_1'",
        "update user_days set used_micros = used_micros + 2100 where user_id = 'usr_1'",
      )
      const found = await check()
      expect(found.map(({ invariant, subject }) => [invariant, subject])).toEqual([
        [8, 'ent_x0000'],
        [8, 'ent_x1000'],
        [8, 'ent_x2000'],
      ])
      expect(await check(2)).toHaveLength(2)
    })

    test('finds refunds that are together more than their charge', async () => {
      await run(
        `insert into ledger_entries (id, organization_id, kind, amount_micros, hold_id, created_at_ms)
         values ('ent_more', 'org_1', 'refund', 46, 'hold_task_done', 1)`,
        `insert into audit_events (id, at_ms, actor, action, subject, detail, entry_id, amount_micros)
         values ('aud_more', 1, 'cli', 'ledger.refund', 'task_done', '{}', 'ent_more', 46)`,
        "update organizations set balance_micros = balance_micros + 46 where id = 'org_1'",
        "update user_days set used_micros = used_micros - 46 where user_id = 'usr_1'",
      )
      expect(await check()).toEqual([
        {
          invariant: 9,
          subject: 'hold_task_done',
          message: 'The refunds of the task task_done are 61 micros, its charge was 60.',
        },
      ])
    })

    test('finds refunds of text that are together more than the balance paid for it', async () => {
      await run(
        "update ledger_entries set amount_micros = -4, loss_micros = 6 where id = 'grp_1:org_1'",
        `insert into ledger_entries (id, organization_id, kind, amount_micros, usage_id, usage_day, user_id, created_at_ms)
         values ('ent_more', 'org_1', 'refund', 5, 'use_1', '2023-11-14', 'usr_1', 1)`,
        `insert into audit_events (id, at_ms, actor, action, subject, detail, entry_id, amount_micros)
         values ('aud_more', 1, 'cli', 'ledger.refund', 'use_1', '{}', 'ent_more', 5)`,
        "update organizations set balance_micros = balance_micros + 11 where id = 'org_1'",
        "update user_days set used_micros = used_micros - 5 where user_id = 'usr_1'",
      )
      expect(await check()).toEqual([
        {
          invariant: 9,
          subject: 'grp_1:org_1',
          message: 'The refunds of its usage rows are 5 micros, the balance paid 4.',
        },
      ])
    })

    test('finds a refund of a negative amount', async () => {
      await run(
        "update ledger_entries set amount_micros = -15 where id = 'ent_refund'",
        "update audit_events set amount_micros = -15 where entry_id = 'ent_refund'",
        "update organizations set balance_micros = balance_micros - 30 where id = 'org_1'",
        "update user_days set used_micros = used_micros + 30 where user_id = 'usr_1'",
        ...['usage_rollup_hour', 'usage_rollup_day'].map(
          (table) => `update ${table} set cost_micros = cost_micros + 30 where model = 'vendorA/gen-2.0'`,
        ),
      )
      expect(await check()).toEqual([
        { invariant: 9, subject: 'ent_refund', message: 'The refund is of -15 micros.' },
      ])
    })

    test('finds a succeeded task whose hold expired unsettled', async () => {
      await run(
        "update video_tasks set status = 'succeeded' where id = 'task_open'",
        "update holds set state = 'expired', ended_at_ms = 1 where id = 'hold_task_open'",
        "update organizations set held_micros = held_micros - 100 where id = 'org_1'",
        "update user_days set used_micros = used_micros - 100 where user_id = 'usr_1'",
      )
      expect(await check()).toEqual([
        {
          invariant: 10,
          subject: 'task_open',
          message: 'The task is succeeded and its hold hold_task_open is expired, not settled.',
        },
      ])
    })

    test('finds days that were set to zero', async () => {
      await run('update user_days set used_micros = 0')
      expect(await check()).toEqual([
        {
          invariant: 11,
          subject: 'usr_1 2023-11-14',
          message: 'The day has 0 micros, its usage, settlements and open holds less refunds are 155.',
        },
      ])
    })

    test('finds missing days, and days without charges', async () => {
      await run(
        'delete from user_days',
        "insert into user_days (user_id, day, used_micros, version) values ('usr_9', '2023-11-15', 7, 1)",
      )
      expect(await check()).toMatchObject([
        { invariant: 11, subject: 'usr_1 2023-11-14' },
        {
          invariant: 11,
          subject: 'usr_9 2023-11-15',
          message: 'The day has 7 micros, its usage, settlements and open holds less refunds are 0.',
        },
      ])
    })

    test('counts text and video of a user on their own days', async () => {
      const row = (id: string, day: string) => sampleUsageRow({ id, day, cost: 5 })
      await opened().store.usage.write(
        sampleGroup({
          id: 'grp_2',
          rows: [row('use_2', '2023-11-14'), row('use_3', '2023-11-15')],
          allowances: {},
        }),
      )
      expect(await check()).toEqual([])
    })

    test.each(['credit', 'refund'])('finds a %s without its audit row', async (kind) => {
      const action = kind === 'credit' ? 'credit.add' : 'ledger.refund'
      await run(`delete from audit_events where action = '${action}'`)
      expect(await check()).toMatchObject([
        {
          invariant: 12,
          message: expect.stringMatching(new RegExp(`^The ${kind} of \\d+ micros has no audit row\\.$`)),
        },
      ])
    })

    test('finds a credit of another amount than its audit row', async () => {
      await run(
        "update ledger_entries set amount_micros = 100000 where kind = 'credit'",
        "update organizations set balance_micros = balance_micros + 90000 where id = 'org_1'",
      )
      expect(await check()).toMatchObject([
        { invariant: 12, message: 'The credit is of 100000 micros, its audit row of 10000.' },
      ])
    })

    test('knows the audit row of the first credit', async () => {
      const { store } = opened()
      await run(
        ...['audit_events', 'text_usage', 'ledger_entries', 'holds', 'user_days', 'video_tasks'].map(
          (table) => `delete from ${table}`,
        ),
        ...['usage_rollup_hour', 'usage_rollup_day', 'api_keys', 'users', 'organizations'].map(
          (table) => `delete from ${table}`,
        ),
      )
      await store.organizations.createFirst(sampleFirst(2), sampleAudit({ action: 'demo.create' }))
      expect(await check()).toEqual([])
      await run('delete from audit_events')
      expect(await check()).toEqual([
        { invariant: 12, subject: 'ent_2', message: 'The credit of 25000000 micros has no audit row.' },
      ])
    })
  })
}
