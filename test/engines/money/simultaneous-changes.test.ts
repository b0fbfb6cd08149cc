import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import { type LentStore, lendPostgres } from '../store/lend-store.ts'
import { createFunded, readMoney, sampleGroup, sampleUsageRow, TODAY } from '../store/sample-money.ts'
import { MORNING_MS, sampleApiKey, sampleAudit, sampleUser } from '../store/sample-rows.ts'

const MONTH = TODAY.slice(0, 7)
/** Stops a change when it has written all rows except its audit row. */
const LOCK_AUDITS = 'lock table audit_events in share mode'

/** Two changes, each on its own connection. A third connection stops them half-way with a lock that both need. */
describe('two changes at the same time, on PostgreSQL', () => {
  let lent: LentStore
  let other: Client
  let watcher: Client
  beforeEach(async () => {
    lent = await lendPostgres()
    other = new Client({ connectionString: lent.where })
    watcher = new Client({ connectionString: lent.where })
    await Promise.all([other.connect(), watcher.connect()])
  })
  afterEach(async () => {
    await Promise.all([other.end(), watcher.end()])
    expect(await lent.store.ledger.check({ nowMs: MORNING_MS, limit: 10 })).toEqual([])
    await lent.giveBack()
  })

  const countWaiting = async () => {
    const { rows } = await watcher.query(`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    return rows.length
  }

  /** Starts the changes one after the other while the lock is held; each waits for a lock, or ends, before the next. */
  async function runBehind<Result>(lock: string, starts: (() => Promise<Result>)[]): Promise<Result[]> {
    await other.query(`begin; ${lock}`)
    const running: Promise<Result>[] = []
    let ended = 0
    for (const start of starts) {
      running.push(start().finally(() => (ended += 1)))
      await expect.poll(async () => (await countWaiting()) + ended).toBe(running.length)
    }
    await other.query('commit')
    return Promise.all(running)
  }

  describe('refunds of two requests of 80 micros that share an entry of 100 micros', () => {
    beforeEach(async () => {
      await createFunded(lent.store, { balance: 100 })
      const rows = [
        sampleUsageRow({ cost: 80 }),
        sampleUsageRow({ id: 'use_2', requestId: 'req_2', cost: 80 }),
      ]
      const { charges } = await lent.store.usage.write(sampleGroup({ rows }))
      expect(charges).toMatchObject([{ beyondMicros: 100, lossMicros: 60 }])
    })

    test('are at most 100 micros together', async () => {
      const refund = (taskId: string) =>
        lent.store.ledger.refund(
          { entryId: `ent_${taskId}`, taskId, note: null, atMs: MORNING_MS, amountMicros: micros(80) },
          sampleAudit({ action: 'ledger.refund' }),
        )
      const ends = await runBehind(`select 1 from user_days where user_id = 'usr_1' for update`, [
        () => refund('use_1'),
        () => refund('use_2'),
      ])
      expect(ends).toMatchObject([{ amountMicros: 80 }, { kind: 'too-much', leftMicros: 20 }])
      expect(await readMoney(lent.store)).toEqual({ balance: 80, held: 0 })
    })
  })

  describe('the first budget of a key, and a charge or refund of it', () => {
    const { setBudget, charge, refund } = {
      setBudget: () =>
        lent.store.apiKeys.setBudget(
          { id: 'key_1', month: MONTH, monthlyBudgetMicros: micros(1_000) },
          sampleAudit(),
        ),
      charge: (id = 'use_1') =>
        lent.store.usage.write(sampleGroup({ id: `grp_${id}`, rows: [sampleUsageRow({ id, cost: 100 })] })),
      refund: () =>
        lent.store.ledger.refund(
          { entryId: 'ent_r', taskId: 'use_1', note: null, atMs: MORNING_MS, amountMicros: micros(30) },
          sampleAudit({ action: 'ledger.refund' }),
        ),
    }
    const used = async () => (await lent.store.apiKeys.findBudget({ id: 'key_1', month: MONTH }))?.usedMicros
    const LOCK_ORGANIZATION = "select 1 from organizations where id = 'org_1' for no key update"
    beforeEach(async () => {
      await createFunded(lent.store, { balance: 1_000 })
      await lent.store.users.create(sampleUser(), sampleAudit())
      await lent.store.apiKeys.create(sampleApiKey(), sampleAudit())
    })

    test('a charge of 100 micros that began before the budget is counted once', async () => {
      await runBehind<unknown>(LOCK_ORGANIZATION, [charge, setBudget])
      expect(await used()).toBe(100)
    })

    test('a charge of 100 micros that begins before the budget is stored is counted once', async () => {
      await runBehind<unknown>(LOCK_AUDITS, [setBudget, charge])
      expect(await used()).toBe(100)
    })

    test('a refund of 30 micros that began before the budget lowers 100 micros to 70', async () => {
      await charge()
      await runBehind<unknown>(LOCK_ORGANIZATION, [refund, setBudget])
      expect(await used()).toBe(70)
    })

    test('a refund of 30 micros that begins before the budget is stored lowers 100 micros to 70', async () => {
      await charge()
      await runBehind<unknown>(LOCK_AUDITS, [setBudget, refund])
      expect(await used()).toBe(70)
    })
  })

  test('the erasure of a user also revokes the key that a rotation makes for the user', async () => {
    await createFunded(lent.store, { balance: 0 })
    await lent.store.users.create(sampleUser(), sampleAudit())
    await lent.store.apiKeys.create(sampleApiKey(), sampleAudit())
    const successor = sampleApiKey({ id: 'key_2', digest: 'digest-2' })
    await runBehind<unknown>(LOCK_AUDITS, [
      () =>
        lent.store.apiKeys.rotate(
          { id: 'key_1', endsAtMs: MORNING_MS, successor, month: MONTH },
          sampleAudit(),
        ),
      () => lent.store.erasures.eraseUser({ id: 'usr_1', atMs: MORNING_MS, audit: sampleAudit() }),
    ])
    const keys = await lent.store.apiKeys.list('org_1')
    expect(keys.map(({ name, revokedAtMs }) => ({ name, revokedAtMs }))).toEqual([
      { name: '', revokedAtMs: MORNING_MS },
      { name: '', revokedAtMs: MORNING_MS },
    ])
  })
})
