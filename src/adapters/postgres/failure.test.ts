import { DatabaseError } from 'pg'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../domain/api-error.ts'
import { presentFailure } from './failure.ts'

function fromServer(code: string): DatabaseError {
  return Object.assign(new DatabaseError('said the server', 0, 'error'), { code })
}

describe('an unavailable server differs from a fault of the gateway', () => {
  test.each([
    fromServer('57P01'),
    fromServer('57P03'),
    fromServer('57014'),
    fromServer('08006'),
    fromServer('53300'),
    fromServer('25006'),
    fromServer('40P01'),
    fromServer('28P01'),
    Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }),
    Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('getaddrinfo ENOTFOUND db'), { code: 'ENOTFOUND' }),
    Object.assign(new Error('getaddrinfo EAI_AGAIN db'), { code: 'EAI_AGAIN' }),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout exceeded when trying to connect'),
  ])('%s', (error) => {
    expect(presentFailure(error)).toMatchObject({ code: 'store_unavailable', cause: error })
  })

  test.each([
    fromServer('23505'),
    fromServer('42P01'),
    fromServer('22P02'),
    new TypeError('x is not a function'),
    Object.assign(new TypeError('The argument must be a string'), { code: 'ERR_INVALID_ARG_TYPE' }),
    new ApiError('not_found'),
    'a text',
  ])('%s stays unchanged', (error) => {
    expect(presentFailure(error)).toBe(error)
  })
})
