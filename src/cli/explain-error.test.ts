import { expect, test } from 'vitest'
import { ConfigError } from '../config/config-error.ts'
import { ApiError } from '../domain/api-error.ts'
import { explainError } from './run-command-line.ts'

test('an error has its causes', () => {
  const refused = new AggregateError([new Error('connect ECONNREFUSED 127.0.0.1:5432')], '')
  const error = new ApiError('store_unavailable', { cause: new Error('no connection', { cause: refused }) })
  expect(explainError(error)).toBe(
    'The store is not available.\n  because: no connection\n  because: connect ECONNREFUSED 127.0.0.1:5432',
  )
})

test('an error with its own message gets no further text', () => {
  const error = new ApiError('not_found', { message: 'There is no user usr_9.', cause: new Error('no row') })
  expect(explainError(error)).toBe('There is no user usr_9.')
})

test('the command line adds the command that helps', () => {
  const details = { message: 'There is no user usr_9.', command: '"sluice user list" shows them.' }
  expect(explainError(new ApiError('not_found', details))).toBe(
    'There is no user usr_9. "sluice user list" shows them.',
  )
})

test('a cyclic chain of causes ends', () => {
  const cause = new Error('round')
  cause.cause = cause
  expect(explainError(new ApiError('not_found', { cause })).split('because').length).toBe(4)
})

test('a configuration error is shown unchanged', () => {
  const error = new ConfigError([{ setting: 'PORT', wrong: '"x" is wrong', fix: 'Use 1.' }])
  expect(explainError(error)).toBe(error.message)
})

test('a taken port is explained without a stack', () => {
  const error = Object.assign(new Error('listen EADDRINUSE: address already in use 127.0.0.1:8080'), {
    code: 'EADDRINUSE',
  })
  expect(explainError(error)).toBe(
    'listen EADDRINUSE: address already in use 127.0.0.1:8080\nAnother program listens there. Stop it, or set PORT (or SANDBOX_PORT) to a free port.',
  )
})

test('any other error is our fault, and shows its position', () => {
  expect(explainError(new TypeError('x is undefined'))).toMatch(
    /^Something unexpected went wrong\. Please report it with these lines:\nTypeError: x is undefined\n {4}at /,
  )
  expect(explainError('just text')).toContain('just text')
})

test('credentials in addresses are hidden everywhere', () => {
  const text = 'cannot reach postgres://user:canary@db/x'
  for (const error of [new Error(text), new ApiError('store_unavailable', { cause: new Error(text) })]) {
    expect(explainError(error)).toContain('postgres://...@db/x')
    expect(explainError(error)).not.toContain('canary')
  }
})

test.each([
  ['by', 'by is a list of groups.', ['usage', '--by', 'organization'], '--by is a list of groups.'],
  ['from', 'from must be before the end.', ['usage', '--from=2026-01-01'], '--from must be before the end.'],
  ['events_url', 'events_url must be public.', ['--events-url', 'x'], '--events-url must be public.'],
  ['base_url', 'base_url must be public.', ['provider', 'add', 'file.yaml'], 'base_url must be public.'],
  ['name', 'There is a model a/b already.', ['--name', 'a/b'], 'There is a model a/b already.'],
])('a message about the field %s names the option that was given', (param, message, args, shown) => {
  expect(explainError(new ApiError('invalid_parameter', { param, message }), args)).toBe(shown)
})
