import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyFor, casesOf } from './cells.ts'
import { type FixtureVendor, readTwin, startFixtureVendor, wellEnded } from './fixture-vendor.ts'
import { readingOf } from './reading.ts'
import { type JudgedGateway, startJudgedGateway } from './start-judged-gateway.ts'

let vendor: FixtureVendor
let gateway: JudgedGateway
beforeAll(async () => {
  vendor = await startFixtureVendor()
  gateway = await startJudgedGateway(vendor.url)
})
afterAll(async () => {
  await gateway.close()
  await vendor.close()
})

test.each(casesOf(({ dialect }) => wellEnded(dialect)))('%s', async (_, asked) => {
  const { endpoint, dialect, fixture, mode, judge, model } = asked
  const reply = await judge(gateway, { body: bodyFor(asked), mode })
  expect(readingOf(endpoint, reply)).toEqual(readingOf(dialect, readTwin(dialect, fixture)))
  expect(reply).toMatchObject({ model })
  // A native vendor may leave fields out of its events.
  const isOurs = endpoint === 'responses' && dialect !== 'responses'
  if (isOurs && mode === 'raw') expect(reply).toMatchObject({ deltas_agree: true })
})
