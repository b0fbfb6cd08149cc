import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { fromSentError, presentFailure, toSentError } from '../../../src/adapters/sqlite/sent-error.ts'
import { ApiError } from '../../../src/domain/api-error.ts'

/** Converts an error as on its way between threads. */
const acrossThreads = (error: unknown) => fromSentError(structuredClone(toSentError(error)))

describe('an error of an operation reaches the other thread', () => {
  test('an ApiError with all its fields', () => {
    const apiError = new ApiError('overloaded', { message: 'later', param: 'name', retryAfterSeconds: 9 })
    const copy = acrossThreads(apiError)
    expect(copy).toBeInstanceOf(ApiError)
    expect(copy).toMatchObject({ code: 'overloaded', message: 'later', param: 'name', retryAfterSeconds: 9 })
  })

  test('a lost file as an unreachable store', () => {
    const copy = acrossThreads(thrownBy(() => new DatabaseSync('/nowhere/at/all.db')))
    expect(copy).toMatchObject({
      code: 'store_unavailable',
      cause: { message: expect.stringContaining('14') },
    })
  })

  test('another error with its position', () => {
    const fault = thrownBy(() => new DatabaseSync(':memory:').exec('select 1 from nowhere'))
    const copy = acrossThreads(fault)
    expect(copy).not.toBeInstanceOf(ApiError)
    expect(copy.message).toContain('no such table')
    expect(copy.stack).toContain('failure.test.ts')
    expect(presentFailure(fault)).toBe(fault)
  })

  test('a thrown value that is no error', () => {
    expect(acrossThreads('a text').message).toBe('a text')
  })
})

function thrownBy(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
