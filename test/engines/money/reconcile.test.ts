import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { idAt } from '../../../src/adapters/sql/page-of.ts'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { reconcileBill } from '../../../src/app/billing/reconcile-bill.ts'
import { encryptTicket } from '../../../src/app/video/encrypted.ts'
import { type LentStore, lendPostgres, lendSqlite } from '../store/lend-store.ts'
import { createFunded, HOUR_MS, sampleCost, sampleGroup, sampleUsageRow } from '../store/sample-money.ts'
import { MORNING_MS } from '../store/sample-rows.ts'
import { begin, sampleMove } from '../store/sample-task.ts'

const SECRETS = createSecrets('s'.repeat(32))
const CLOCK = { nowMs: () => MORNING_MS + HOUR_MS, monotonicMs: () => 0 }
const DAY_MS = 24 * HOUR_MS
/** The day of the bill. */
const DAY = { from: '2023-11-14', to: '2023-11-15' }

describe.each([
  ['sqlite', lendSqlite],
  ['postgres', lendPostgres],
])('a bill on %s', (_engine, lend) => {
  let lent: LentStore
  beforeEach(async () => {
    lent = await lend()
    await createFunded(lent.store, { balance: 10_000_000 })
  })
  afterEach(() => lent.giveBack())

  /** Adds an ended task: succeeded if it has a charge, else failed. */
  async function addTask(ticket: string, { charged = 0, provider = 'vendorA', atMs = MORNING_MS } = {}) {
    const { store } = lent
    const id = `${idAt('task', atMs)}_${ticket}`
    await begin(
      store,
      { id, provider, createdAtMs: atMs, expiresAtMs: atMs + HOUR_MS },
      { hold: { amount: 800_000 } },
    )
    const encryptedTicket = encryptTicket(ticket, id, SECRETS)
    await store.tasks.accept({ move: sampleMove('queued', { id }), encryptedTicket, nextPollAtMs: atMs })
    const end = charged === 0 ? 'failed' : 'succeeded'
    await store.tasks.move(sampleMove(end, { id, cost: sampleCost(charged), atMs: atMs + 1_000 }))
    return id
  }

  function reconcile(provider: string, lines: string[]) {
    const bytes = new TextEncoder().encode(['id,usd', ...lines].join('\n'))
    const parts = { ...lent.store, secrets: SECRETS, clock: CLOCK, pageRows: 2 }
    return reconcileBill(parts)({
      ...{ provider, columns: { ticket: 'id', usd: 'usd' }, ...DAY },
      file: (async function* () {
        yield bytes
      })(),
      onProgress: () => {},
    })
  }

  test('video: 0.70 agree, 0.05 above the charge, 0.70 not billed, 0.35 and 1.25 not charged: 2_350_005 micros at risk', async () => {
    await addTask('cgt-agreed', { charged: 700_000 })
    const above = await addTask('cgt-above', { charged: 700_000 })
    const below = await addTask('cgt-below', { charged: 700_000 })
    const unbilled = await addTask('cgt-unbilled', { charged: 700_000 })
    const credited = await addTask('cgt-credited', { charged: 5 })
    const failed = await addTask('cgt-failed')
    await addTask('cgt-other', { charged: 700_000, provider: 'vendorB' })
    await addTask('cgt-earlier', { charged: 700_000, atMs: MORNING_MS - 2 * DAY_MS })
    await addTask('cgt-before', { charged: 700_000, atMs: MORNING_MS - DAY_MS })

    const report = await reconcile('vendorA', [
      ...['cgt-agreed,0.7', 'cgt-above,0.70', 'cgt-above,0.05', 'cgt-below,0.5', 'cgt-failed,0.35'],
      ...['cgt-credited,1', 'cgt-credited,-1', 'cgt-unknown,1.25', ',5.00', 'cgt-gone,-0.10'],
      'cgt-before,0.7',
    ])
    const row = { organizationId: 'org_1', status: 'succeeded', chargedMicros: 700_000 }
    expect(report).toEqual({
      ...{ fromMs: Date.parse(DAY.from), toMs: Date.parse(DAY.to), lines: 11, agreed: 2 },
      chargedNotBilled: {
        ...{ count: 2, micros: 700_005 },
        rows: expect.arrayContaining([
          { ...row, billId: null, id: unbilled, billedMicros: 0 },
          { ...row, billId: 'cgt-credited', id: credited, chargedMicros: 5, billedMicros: 0 },
        ]),
      },
      billedNotCharged: {
        ...{ count: 2, micros: 1_600_000 },
        rows: [
          {
            ...row,
            billId: 'cgt-failed',
            id: failed,
            status: 'failed',
            chargedMicros: 0,
            billedMicros: 350_000,
          },
          {
            ...{ billId: 'cgt-unknown', id: null, organizationId: null, status: null },
            ...{ chargedMicros: 0, billedMicros: 1_250_000 },
          },
        ],
      },
      differentAmounts: {
        ...{ count: 2, micros: 50_000 },
        rows: expect.arrayContaining([
          { ...row, billId: 'cgt-above', id: above, billedMicros: 750_000 },
          { ...row, billId: 'cgt-below', id: below, billedMicros: 500_000 },
        ]),
      },
      marginMicros: 200_000,
      unassigned: { lines: 2, micros: 4_900_000 },
      atRiskMicros: 2_350_005,
    })
  })

  test('a task that vendor A failed and vendor B made: 0.35 of the first attempt are not charged, 0.70 of the second agree', async () => {
    const { tasks } = lent.store
    const id = idAt('task', MORNING_MS)
    const part = { id, createdAtMs: MORNING_MS, expiresAtMs: MORNING_MS + HOUR_MS, encryptedRequest: 'x' }
    await begin(lent.store, { ...part, standIns: ['vendorB/m'] }, { hold: { amount: 700_000 } })
    const accept = (attempt: number, ticket: string) =>
      tasks.accept({
        move: sampleMove('queued', { id, attempt }),
        encryptedTicket: encryptTicket(ticket, id, SECRETS),
        nextPollAtMs: MORNING_MS,
      })
    await accept(1, 'video/cgt-first')
    const task = (await tasks.findForOperator(id)) ?? expect.fail('no task')
    await tasks.handOver({
      ...{ task, sentAtMs: MORNING_MS, atMs: MORNING_MS + 1_000 },
      ended: { state: 'failed', reason: 'generation_failed', message: 'No.', vendorCostMicros: null },
      next: {
        ...{ provider: 'vendorB', model: 'vendorB/m', standIns: [], noticeTokenDigest: null },
        ...{ sentAtMs: MORNING_MS + 1_000, nextPollAtMs: MORNING_MS },
      },
    })
    await accept(2, 'b-second')
    await tasks.move(sampleMove('succeeded', { id, attempt: 2, cost: sampleCost(700_000) }))

    expect(await reconcile('vendorA', ['cgt-first,0.35'])).toMatchObject({
      ...{ agreed: 0, atRiskMicros: 350_000, chargedNotBilled: { count: 0 } },
      billedNotCharged: {
        count: 1,
        rows: [{ billId: 'cgt-first', id, organizationId: 'org_1', status: 'failed', billedMicros: 350_000 }],
      },
    })
    expect(await reconcile('vendorA', [])).toMatchObject({ atRiskMicros: 0 })
    expect(await reconcile('vendorB', ['b-second,0.7'])).toMatchObject({ agreed: 1, atRiskMicros: 0 })
  })

  test('text: 84 micros agree with 0.0000844, 100 are not billed, and 30 were billed for a free request', async () => {
    const text = (id: string, cost: number, part = {}) =>
      sampleUsageRow({ id: `use_${id}`, requestId: `req_${id}`, cost, ...part })
    const rows = [
      ...[text('agreed', 84), text('by-row', 20), text('unbilled', 100), text('free', 0)],
      text('other', 50, { provider: 'vendorD' }),
    ]
    await lent.store.usage.write(sampleGroup({ rows }))
    const bill = ['req_agreed,0.0000844', 'use_by-row,2E-05', 'req_free,0.00003']
    expect(await reconcile('vendorC', bill)).toMatchObject({
      ...{ lines: 3, agreed: 2, atRiskMicros: 130, marginMicros: 0 },
      chargedNotBilled: { count: 1, micros: 100, rows: [{ id: 'req_unbilled', status: 'completed' }] },
      billedNotCharged: { count: 1, micros: 30, rows: [{ id: 'req_free', billId: 'req_free' }] },
      differentAmounts: { count: 0, micros: 0, rows: [] },
    })
  })

  test('for an empty bill every charge of its days is not billed, and none of another provider', async () => {
    await addTask('cgt-1', { charged: 700_000 })
    expect(await reconcile('vendorA', [])).toMatchObject({ lines: 0, atRiskMicros: 700_000 })
    expect(await reconcile('vendorB', [])).toMatchObject({ lines: 0, atRiskMicros: 0 })
  })
})
