import { beforeEach, describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { sampleGroup } from './sample-asset.ts'
import { createFunded, readMoney, sampleCost, sampleHold } from './sample-money.ts'
import { MORNING_MS, sampleApiKey, sampleAudit, sampleUser } from './sample-rows.ts'

const DAY_MS = 86_400_000

export function describeRetention(opened: GetOpened): void {
  const store = () => opened().store
  const drop = (beforeMs: number, limit = 100) => store().retention.dropTasks({ beforeMs, limit })
  const taskIds = async () =>
    (await opened().runSql('select id from video_tasks order by id')).map((row) => Object(row).id)

  /** Inserts a task that ended on this day, or that still runs. */
  async function insertTask(day: number, status: string, more: { content?: string } = {}): Promise<void> {
    const id = `task_${day}`
    const endedAtMs = MORNING_MS + day * DAY_MS
    await store().ledger.hold(sampleHold({ id: `hold_${day}`, taskId: id, keyId: 'key_1' }))
    await opened().runSql(`
      insert into video_tasks (id, api_key_id, organization_id, user_id, model, status, created_at_ms, completed_at_ms,
        sealed_content)
      values ('${id}', 'key_1', 'org_1', 'usr_1', 'vendorA/gen-2.0', '${status}', ${MORNING_MS},
        ${status === 'running' ? 'null' : endedAtMs}, ${more.content === undefined ? 'null' : `'${more.content}'`})`)
    if (status === 'failed') await store().ledger.release({ holdId: `hold_${day}`, atMs: MORNING_MS })
    if (status !== 'succeeded') return
    const end = { holdId: `hold_${day}`, entryId: `ent_${day}`, cost: sampleCost(10), atMs: MORNING_MS }
    await store().ledger.settle(end)
    await opened().runSql(`update ledger_entries set api_key_id = 'key_1' where id = 'ent_${day}'`)
  }

  beforeEach(async () => {
    await createFunded(store(), { balance: 10_000 })
    await store().users.create(sampleUser(), sampleAudit())
    await store().apiKeys.create(sampleApiKey(), sampleAudit())
  })

  describe('dropping old tasks', () => {
    test('drops the tasks that ended before the moment, the oldest first; the charge of 10 micros and the balance stay', async () => {
      for (const [day, status] of ['succeeded', 'failed', 'succeeded', 'running'].entries())
        await insertTask(day, status)
      await opened().runSql(
        "insert into video_callbacks (id, task_id, created_at_ms, state) values ('cb_0', 'task_0', 1, 'delivered')",
      )
      await opened().runSql("insert into callback_attempts (task_id, attempt, at_ms) values ('task_0', 1, 1)")
      await store().assets.bindPerson(sampleGroup({ kind: 'person' }), undefined)
      for (const day of [0, 2])
        await opened().runSql(`insert into task_groups values ('grp_1', 'task_${day}', 'org_1')`)
      const before = MORNING_MS + 2 * DAY_MS
      expect(await drop(before, 1)).toBe(1)
      expect(await taskIds()).toEqual(['task_1', 'task_2', 'task_3'])
      expect([await drop(before), await drop(before)]).toEqual([1, 0])
      expect(await taskIds()).toEqual(['task_2', 'task_3'])
      expect(await opened().runSql('select * from callback_attempts')).toEqual([])
      expect(await opened().runSql('select task_id from task_groups')).toEqual([{ task_id: 'task_2' }])
      expect(await readMoney(store())).toEqual({ balance: 9_980, held: 100 })
      const refund = { entryId: 'ent_r', taskId: 'task_0', amountMicros: undefined, note: 'late', atMs: 1 }
      const audit = sampleAudit({ action: 'ledger.refund' })
      expect(await store().ledger.refund(refund, audit)).toMatchObject({ kind: 'refunded', amountMicros: 10 })
    })

    test.each([
      ['whose hold is open', "update holds set state = 'open', ended_at_ms = null"],
      [
        'whose callback waits',
        "insert into video_callbacks (id, task_id, created_at_ms, state) values ('cb_0', 'task_0', 1, 'pending')",
      ],
      [
        'whose Idempotency-Key is replayed',
        "insert into idempotency_keys (api_key_id, key, body_digest, task_id, expires_at_ms) values ('key_1', 'k', 'd', 'task_0', 1)",
      ],
      ['whose charge is not in the sums', "update ledger_entries set api_key_id = null where id = 'ent_0'"],
    ])('leaves a task %s', async (_what, statement) => {
      await insertTask(0, 'succeeded')
      await opened().runSql(statement)
      expect(await drop(MORNING_MS + DAY_MS)).toBe(0)
      expect(await taskIds()).toEqual(['task_0'])
    })
  })

  test('dropping old content links keeps the tasks', async () => {
    for (const day of [0, 1]) await insertTask(day, 'succeeded', { content: 'sealed' })
    const pass = { beforeMs: MORNING_MS + DAY_MS, limit: 10 }
    expect(await store().retention.dropContentLinks(pass)).toBe(1)
    expect(await store().retention.dropContentLinks(pass)).toBe(0)
    expect(await opened().runSql('select id, sealed_content from video_tasks order by id')).toEqual([
      { id: 'task_0', sealed_content: null },
      { id: 'task_1', sealed_content: 'sealed' },
    ])
  })

  test('dropping old audit rows keeps the rows that prove an entry of the ledger', async () => {
    const atMs = MORNING_MS + DAY_MS
    await store().audit.add(sampleAudit({ action: 'kept.act', atMs }))
    const pass = { beforeMs: atMs, limit: 100 }
    expect(await store().retention.dropAudits(pass)).toBeGreaterThan(0)
    expect(await store().retention.dropAudits(pass)).toBe(0)
    const left = (await store().audit.list({ limit: 50 })).map(({ action }) => action)
    expect(left.toSorted()).toEqual(['credit.add', 'kept.act'])
    expect(await store().ledger.check({ nowMs: MORNING_MS, limit: 5 })).toEqual([])
  })
}
