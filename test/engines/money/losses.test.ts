import { afterAll, beforeAll, expect, test } from 'vitest'
import { Spend } from '../../../src/app/billing/spend.ts'
import { type Bank, openBank } from './bank.ts'
import { openReplica, usageOf } from './replica.ts'

let bank: Bank
beforeAll(async () => {
  bank = await openBank()
})
afterAll(() => bank.close())

test('after a loss every request reserves its maximum cost, and the refusal names it, until credit is added', async () => {
  const organizationId = await bank.openOrganization(1_000)
  const [replica, other] = [await openReplica(bank), await openReplica(bank)]
  const held = await other.begin(organizationId, 400, 400)
  const uncovered = await replica.begin(organizationId, 100, 900)
  uncovered.finish(usageOf(900))
  await replica.writeAll()
  await other.writeAll()
  // The other replica holds 400, so the balance pays 600 of the 900.
  expect(bank.usageOf(organizationId)).toEqual({ rows: 1, costs: 900, losses: 300 })
  await held.abandon()
  bank.clock.pass(250)
  const end = replica.begin(organizationId, 100, 5_000).catch((apiError: unknown) => apiError)
  expect(await end).toMatchObject({
    code: 'insufficient_balance',
    message: expect.stringContaining('needs 0.005 USD, and 0.0004 USD is available: 0.0046 USD is missing'),
  })
  bank.clock.pass(250)
  const covered = await replica.begin(organizationId, 100, 200)
  const beside = await replica.begin(organizationId, 100, 200)
  for (const spend of [covered, beside]) await spend.abandon()
  await bank.addCredit(organizationId, 1_000)
  replica.allowances.forget(organizationId)
  const next = await replica.begin(organizationId, 100, 5_000)
  await next.abandon()
  await Promise.all([replica.close(), other.close()])
  await bank.expectSound()
})

test('what another key had set aside when a loss came does not pay for a second loss', async () => {
  const organizationId = await bank.openOrganization(10_000)
  const keyId = await bank.openKey(organizationId, 1_000_000_000)
  const replica = await openReplica(bank)
  const spend = async (cost: number, possible: number, key?: string) => {
    const request = await replica.begin(organizationId, 60, possible, key)
    request.finish(usageOf(cost))
    await replica.writeAll()
  }
  const held = await replica.begin(organizationId, 60, 60, keyId)
  const { held: leased } = await bank.balanceOf(organizationId)
  const cost = 10_000 - leased + 50
  await spend(cost, cost)
  expect(bank.usageOf(organizationId)).toMatchObject({ losses: 50 })
  await held.abandon()
  // More than was lost, and nearly all that is left.
  for (let left = leased; left >= 120; left -= 60) await spend(60, 60, keyId)
  await spend(cost, cost, keyId).catch(() => {})
  expect(bank.usageOf(organizationId)).toMatchObject({ losses: 50 })
  await replica.close()
  await bank.expectSound()
})

test('after a loss a refusal is only for requests that need as much', async () => {
  const organizationId = await bank.openOrganization(1_000)
  const [replica, other] = [await openReplica(bank), await openReplica(bank)]
  const held = await other.begin(organizationId, 400, 400)
  const uncovered = await replica.begin(organizationId, 100, 900)
  uncovered.finish(usageOf(900))
  await replica.writeAll()
  await held.abandon()
  bank.clock.pass(250)
  const begin = (reserve: number, possible: number) =>
    replica.begin(organizationId, reserve, possible).catch((apiError: unknown) => apiError)
  // The second one reserves more, but can cost less.
  const [dear, beside] = await Promise.all([begin(100, 5_000), begin(150, 200)])
  const behind = await begin(150, 200)
  expect(dear).toMatchObject({ code: 'insufficient_balance' })
  for (const spend of [beside, behind]) {
    expect(spend).toBeInstanceOf(Spend)
    if (spend instanceof Spend) await spend.abandon()
  }
  expect(await begin(100, 5_000)).toMatchObject({ code: 'insufficient_balance' })
  await Promise.all([replica.close(), other.close()])
  await bank.expectSound()
})
