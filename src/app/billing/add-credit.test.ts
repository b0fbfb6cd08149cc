import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/engines/money/test-clock.ts'
import { SILENT_LOG } from '../../../test/engines/store/silent-log.ts'
import { createMemoryCache } from '../../adapters/memory/memory-cache.ts'
import { ApiError } from '../../domain/api-error.ts'
import { micros } from '../../domain/billing/micros.ts'
import type { NewCredit } from '../../ports/ledger.ts'
import { addCredit } from './add-credit.ts'

const COMMAND = { organizationId: 'org_1', amountMicros: micros(5), note: null }

function createScenario(apiError: ApiError) {
  const clock = createTestClock()
  const given: NewCredit[] = []
  const published: string[] = []
  const add = addCredit({
    ledger: {
      addCredit: async (credit) => {
        given.push(credit)
        throw apiError
      },
    },
    cache: {
      ...createMemoryCache({ clock, log: SILENT_LOG, maxBytes: 1_000 }),
      publish: async (topic) => {
        published.push(topic)
      },
    },
    log: SILENT_LOG,
    newId: (prefix) => `${prefix}_1`,
    clock,
    actor: 'cli',
  })
  return { add, given, published }
}

test('the error of a lost answer says how to retry without a second credit', async () => {
  const { add, given, published } = createScenario(new ApiError('store_unavailable'))
  await expect(add(COMMAND)).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringContaining('Repeat the command with --entry ent_1'),
  })
  await expect(add({ ...COMMAND, entryId: 'ent_of_before' })).rejects.toMatchObject({
    message: expect.stringContaining('--entry ent_of_before'),
  })
  expect(given.map(({ entryId }) => entryId)).toEqual(['ent_1', 'ent_of_before'])
  expect(published).toEqual([])
})

test('any other error is unchanged', async () => {
  const apiError = new ApiError('invalid_parameter', { message: 'Too much.' })
  await expect(createScenario(apiError).add(COMMAND)).rejects.toBe(apiError)
})
