import { expect, test } from 'vitest'
import type { Admission } from '../../../src/app/billing/lease.ts'
import { beginSpend } from '../../../src/app/billing/spend.ts'
import type { DayReservation } from '../../../src/app/billing/spending-days.ts'
import type { Spent } from '../../../src/app/billing/spent.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import { CALLER } from '../../caller.ts'
import { createLogBook } from '../cache/log-book.ts'
import { DAY, usageOf } from './replica.ts'
import { sampleLease } from './sample-spent.ts'
import { createTestClock } from './test-clock.ts'

const RESERVATION: DayReservation = {
  userId: 'usr_1',
  day: '2023-11-13',
  life: 'a',
  amountMicros: micros(30),
}

function createScenario(parts: {
  reserve?: () => DayReservation | undefined | Promise<DayReservation | undefined>
  admit?: () => Admission | Promise<Admission>
  letGo?: () => Promise<void>
}) {
  const log = createLogBook()
  const lease = sampleLease()
  const added: Spent[] = []
  const letGo: DayReservation[] = []
  let admissions = 0
  const unused = async () => {}
  const begin = beginSpend({
    allowances: {
      admit: (_, reserveMicros) => {
        admissions += 1
        return parts.admit === undefined ? lease.admit(reserveMicros, 0) : parts.admit()
      },
      charged() {},
      wanted() {},
      forget() {},
      expired() {},
      keep: unused,
      stop() {},
      giveBackAll: unused,
    },
    days: {
      reserve: parts.reserve ?? (() => undefined),
      apply: unused,
      letGo: async (reservation) => {
        letGo.push(reservation)
        await parts.letGo?.()
      },
      recount: unused,
    },
    buffer: {
      waiting: () => 0,
      isFull: () => false,
      add: (spent) => added.push(spent),
      writeGroup: async () => true,
      whenDue() {},
      close: () => 0,
    },
    clock: createTestClock(),
    log,
    newId: (prefix) => `${prefix}_1`,
    dayAt: () => DAY,
  })
  return {
    begin: () => begin(CALLER, { reserveMicros: micros(30), possibleMicros: micros(30) }),
    lease,
    added,
    letGo,
    log,
    admissions: () => admissions,
  }
}

test('a user without a limit is admitted immediately, and the row names the user', () => {
  const scenario = createScenario({})
  const spend = scenario.begin()
  if (spend instanceof Promise) throw new Error('the store was asked')
  expect(scenario.lease.leftMicros).toBe(970)
  spend.finish(usageOf(4))
  expect(scenario.lease.leftMicros).toBe(996)
  expect(scenario.added).toMatchObject([
    {
      row: { id: 'use_1', organizationId: 'org_1', userId: 'usr_1', keyId: 'key_1', day: DAY, costMicros: 4 },
      reservation: undefined,
    },
  ])
})

test('a row counts on the day of its reservation', async () => {
  const scenario = createScenario({ reserve: async () => RESERVATION })
  const spend = await scenario.begin()
  spend.finish(usageOf(4))
  expect(scenario.added).toMatchObject([{ row: { day: '2023-11-13' }, reservation: RESERVATION }])
})

test('a refused day leaves the money unchanged', async () => {
  const apiError = new ApiError('daily_limit_exceeded')
  const scenario = createScenario({ reserve: () => Promise.reject(apiError) })
  await expect(scenario.begin()).rejects.toBe(apiError)
  expect(scenario.admissions()).toBe(0)
})

const noMoney = new ApiError('insufficient_balance')

test.each([
  [
    'a thrown error',
    () => {
      throw noMoney
    },
  ],
  ['a rejected promise', () => Promise.reject(noMoney)],
])('a refusal by the balance, as %s, releases the day', async (_, admit) => {
  const scenario = createScenario({ reserve: () => RESERVATION, admit })
  await expect(scenario.begin()).rejects.toBe(noMoney)
  expect(scenario.letGo).toEqual([RESERVATION])
})

test('a spend ends once, by settlement or release', async () => {
  const scenario = createScenario({ reserve: () => RESERVATION })
  const finished = await scenario.begin()
  finished.finish(usageOf(4))
  finished.finish(usageOf(5))
  await finished.abandon()
  const abandoned = await scenario.begin()
  await abandoned.abandon()
  await abandoned.abandon()
  abandoned.finish(usageOf(6))
  expect(scenario.added.length).toBe(1)
  expect(scenario.letGo).toEqual([RESERVATION])
  expect(scenario.lease).toMatchObject({ leftMicros: 996, inFlight: 0, unwritten: 1 })
})

test('a failed release of the day does not charge the request', async () => {
  const scenario = createScenario({
    reserve: () => RESERVATION,
    letGo: () => Promise.reject(new Error('the cache is unreachable')),
  })
  const spend = await scenario.begin()
  await expect(spend.abandon()).resolves.toBeUndefined()
  expect(scenario.log.events).toEqual(['limits.return_failed'])
  expect(scenario.lease).toMatchObject({ leftMicros: 1_000, inFlight: 0 })
})
