import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Spend } from '../../../src/app/billing/spend.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import { fc, runs } from '../../random/properties.ts'
import { type Bank, openBank } from './bank.ts'
import { openReplica, type Replica, usageOf } from './replica.ts'
import { type Line, shakyUsage } from './shaky-usage.ts'

/** Time for thousands of durable commits on a slow disk. */
const TIMEOUT_MS = 180_000
const PARKED_SECONDS_MAX = 30
const LOOK_AGAIN_MS = 250

let bank: Bank
beforeAll(async () => {
  bank = await openBank()
})
afterAll(() => bank.close())

interface Member {
  replica: Replica
  usage: ReturnType<typeof shakyUsage>
  open: { spend: Spend; reserve: number }[]
  finished: number
}

async function openMember(): Promise<Member> {
  const usage = shakyUsage(bank.store.usage)
  return { replica: await openReplica(bank, usage), usage, open: [], finished: 0 }
}

async function begin(member: Member, organizationId: string, reserve: number): Promise<void> {
  try {
    member.open.push({ spend: await member.replica.begin(organizationId, reserve), reserve })
  } catch (apiError) {
    if (!(apiError instanceof ApiError)) throw apiError
    expect(['insufficient_balance', 'billing_unavailable', 'funds_in_use']).toContain(apiError.code)
  }
}

function finish(member: Member, costOf: (reserve: number) => number): void {
  const first = member.open.shift()
  if (first === undefined) return
  first.spend.finish(usageOf(costOf(first.reserve)))
  member.finished += 1
}

const LINES: readonly Line[] = ['up', 'down', 'answers-lost']

const step = fc.record({
  act: fc.constantFrom(
    ...(['begin', 'begin', 'begin', 'burst', 'finish', 'finish', 'abandon', 'write', 'write'] as const),
    ...(['keep', 'second', 'expire', 'line', 'credit', 'wanted', 'kill', 'long'] as const),
  ),
  who: fc.integer({ min: 0, max: 2 }),
  amount: fc.integer({ min: 0, max: 120 }),
})

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Returns the open replicas, the number of rows that killed replicas finished, and what was credited. */
async function play(
  organizationId: string,
  steps: readonly Step[],
  rules: { costOf(amount: number): (reserve: number) => number; isAllowed(act: Step['act']): boolean },
): Promise<{ members: Member[]; dead: number; credited: number }> {
  const members = await Promise.all([openMember(), openMember(), openMember()])
  let credited = 0
  let dead = 0
  const second = async () => {
    bank.clock.pass(1_000)
    for (const { replica } of members) await replica.allowances.keep().catch(() => {})
  }
  const acts: Record<Step['act'], (member: Member, step: Step) => unknown> = {
    begin: (member, { amount }) => begin(member, organizationId, amount),
    burst: (member, { amount }) =>
      Promise.all([1, 2, 3].map((times) => begin(member, organizationId, amount * times))),
    finish: (member, { amount }) => finish(member, rules.costOf(amount)),
    abandon: (member) => member.open.shift()?.spend.abandon(),
    write: (member) => member.replica.writeAll(),
    keep: (member) => member.replica.allowances.keep().catch(() => {}),
    second,
    long: () => bank.clock.pass(20_000),
    expire: () => bank.expire(),
    line: (member, { amount }) => {
      member.usage.line = LINES[amount % LINES.length] ?? 'up'
    },
    credit: async (_, { amount }) => {
      if (amount === 0) return
      await bank.addCredit(organizationId, amount)
      credited += amount
    },
    wanted: (member) => member.replica.allowances.wanted(organizationId),
    kill: async (member, { who }) => {
      dead += member.finished
      member.usage.line = 'down'
      members[who] = await openMember()
    },
  }
  for (const one of steps) {
    const member = members[one.who]
    if (member === undefined || !rules.isAllowed(one.act)) continue
    await endedOrRefused(Promise.resolve(acts[one.act](member, one)), second)
    await bank.expire()
    await bank.expectSound()
  }
  return { members, dead, credited }
}

/** A request may wait for a running request that ends only after this step: seconds pass until it is refused. */
async function endedOrRefused(work: Promise<unknown>, second: () => Promise<void>): Promise<void> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  for (let passed = 0; passed < PARKED_SECONDS_MAX + 1; passed += 1) {
    await Promise.race([done, delay(LOOK_AGAIN_MS)])
    if (isDone) break
    await second()
  }
  await done
}

async function endAll(members: readonly Member[]): Promise<number> {
  for (const member of members) {
    member.usage.line = 'up'
    for (const { spend } of member.open) await spend.abandon()
    await member.replica.close()
  }
  bank.clock.pass(31_000)
  await bank.expire()
  await bank.expectSound()
  return members.reduce((rows, { finished }) => rows + finished, 0)
}

test(
  'with random replicas, costs, clocks and crashes the ledger stays sound and every row counts once',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 2_000 }),
        fc.array(step, { minLength: 10, maxLength: 40 }),
        async (balance, steps) => {
          const organizationId = await bank.openOrganization(balance)
          const { members, dead, credited } = await play(organizationId, steps, {
            costOf: (amount) => () => amount * 2,
            isAllowed: () => true,
          })
          const finished = await endAll(members)
          const { rows, costs, losses } = bank.usageOf(organizationId)
          expect(rows).toBeGreaterThanOrEqual(finished)
          expect(rows).toBeLessThanOrEqual(finished + dead)
          expect(await bank.balanceOf(organizationId)).toEqual({
            balance: balance + credited - costs + losses,
            held: 0,
          })
        },
      ),
      runs(60),
    )
  },
  TIMEOUT_MS,
)

test(
  'while requests stay within their reserves and no process dies, not a micro is lost',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 2_000 }),
        fc.array(step, { minLength: 10, maxLength: 40 }),
        async (balance, steps) => {
          const organizationId = await bank.openOrganization(balance)
          const { members, credited } = await play(organizationId, steps, {
            costOf: (amount) => (reserve) => Math.min(amount, reserve),
            isAllowed: (act) => act !== 'kill' && act !== 'long',
          })
          const finished = await endAll(members)
          const { rows, costs, losses } = bank.usageOf(organizationId)
          expect({ rows, losses }).toEqual({ rows: finished, losses: 0 })
          expect(await bank.balanceOf(organizationId)).toEqual({
            balance: balance + credited - costs,
            held: 0,
          })
        },
      ),
      runs(60),
    )
  },
  TIMEOUT_MS,
)
