import { expect, test } from 'vitest'
import { ApiError } from '../../domain/api-error.ts'
import { onceAtMost } from './once-at-most.ts'

const WORDS = { entryId: 'ent_1', act: { was: 'given back', does: 'gives it back' } }
const failing = (error: Error) => onceAtMost(() => Promise.reject(error), WORDS)

test('when the store is lost during an act, the error says how to repeat it', async () => {
  await expect(failing(new ApiError('store_unavailable'))).rejects.toMatchObject({
    code: 'store_unavailable',
    message:
      'The store did not answer: whether it was given back is not known. Repeat the command with --entry ent_1, which gives it back once at most.',
  })
})

test.each([new ApiError('not_found'), new Error('a fault')])(
  'any other error is unchanged: %s',
  async (error) => {
    await expect(failing(error)).rejects.toBe(error)
  },
)
