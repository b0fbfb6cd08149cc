import { expect, test } from 'vitest'
import { createGroupEnd } from '../../../src/app/billing/settle-group.ts'
import { micros, ZERO_MICROS } from '../../../src/domain/billing/micros.ts'
import { silentMetrics } from '../../silent-metrics.ts'
import { SILENT_LOG } from '../store/silent-log.ts'
import { DAY } from './replica.ts'
import { sampleLease, sampleSpent } from './sample-spent.ts'

function createScenario() {
  const reported: string[] = []
  const lost: number[] = []
  const end = createGroupEnd({
    onCharge: ({ lossMicros }) => reported.push(`charged ${lossMicros}`),
    days: {
      reserve: () => undefined,
      apply: async (reservation, move) => {
        reported.push(`apply ${reservation?.amountMicros} ${move.deltaMicros} ${move.version}`)
      },
      letGo: async ({ amountMicros }) => {
        reported.push(`let go ${amountMicros}`)
      },
      recount: async ({ userId, day }) => {
        reported.push(`recount ${userId} ${day}`)
        throw new Error('the cache is unreachable')
      },
    },
    log: SILENT_LOG,
    metrics: silentMetrics({ moneyLost: (amount) => lost.push(amount) }),
  })
  return { end, reported, lost }
}

test('a cost that the allowance did not pay goes back to the lease, and a loss is counted', async () => {
  const { end, lost, reported } = createScenario()
  const lease = sampleLease()
  const spents = ['use_1', 'use_2'].map((id) => sampleSpent(id, { lease, life: 'a' }))
  for (const { row } of spents) lease.admit(micros(30), 0).spend(row.costMicros)
  expect([lease.leftMicros, lease.unwritten]).toEqual([980, 2])
  end.written(spents, {
    days: [{ userId: 'usr_1', day: DAY, deltaMicros: micros(20), version: 3 }],
    charges: [
      {
        organizationId: 'org_1',
        fromAllowanceMicros: micros(9),
        beyondMicros: micros(6),
        lossMicros: micros(5),
      },
    ],
  })
  expect([lease.leftMicros, lease.unwritten]).toEqual([991, 0])
  expect(lost).toEqual([5])
  await end.daysDone()
  expect(reported).toEqual(['charged 5', 'apply 60 20 3'])
})

test('a row that an earlier attempt wrote counts as paid by the allowance, and its day is recounted', async () => {
  const { end, lost, reported } = createScenario()
  const lease = sampleLease()
  const spent = sampleSpent('use_1', { lease, life: 'a' })
  lease.admit(micros(30), 0).spend(spent.row.costMicros)
  end.written([spent], { days: [], charges: [] })
  expect([lease.leftMicros, lease.unwritten]).toEqual([990, 0])
  expect(lost).toEqual([])
  await end.daysDone()
  expect(reported).toEqual([`recount usr_1 ${DAY}`])
})

test('a row that the store left out is not charged, is counted, and ends its claim', async () => {
  const { end, lost, reported } = createScenario()
  const lease = sampleLease()
  const ended: string[] = []
  const claimOf = (id: string) => ({ id, charged() {}, ended: () => void ended.push(id) })
  const spents = ['use_1', 'use_2'].map((id) =>
    sampleSpent(id, { lease, life: 'a', claim: claimOf(`claim of ${id}`) }),
  )
  for (const { row } of spents) lease.admit(micros(30), 0).spend(row.costMicros)
  end.written(spents, {
    days: [{ userId: 'usr_1', day: DAY, deltaMicros: micros(10), version: 3 }],
    charges: [
      {
        organizationId: 'org_1',
        fromAllowanceMicros: micros(10),
        beyondMicros: ZERO_MICROS,
        lossMicros: ZERO_MICROS,
      },
    ],
    superseded: ['use_1'],
  })
  expect([lease.leftMicros, lease.unwritten]).toEqual([990, 0])
  expect(lost).toEqual([10])
  expect(ended).toEqual(['claim of use_1', 'claim of use_2'])
  await end.daysDone()
  expect(reported.toSorted()).toEqual(['apply 30 10 3', 'charged 0', 'let go 30'])
})

test('a lost row is not charged to the organization', async () => {
  const { end, lost, reported } = createScenario()
  const lease = sampleLease()
  const spent = sampleSpent('use_1', { lease, life: 'a' })
  lease.admit(ZERO_MICROS, 0).spend(spent.row.costMicros)
  end.lost([spent], new Error('refused'))
  expect([lease.leftMicros, lease.unwritten]).toEqual([1_000, 0])
  expect(lost).toEqual([10])
  await end.daysDone()
  expect(reported).toEqual(['let go 30'])
})
