import { expect, test } from 'vitest'
import { describeCheck } from './describe-check.ts'

test.each([
  ['what is in order', { ok: true }, 'ok      cache: answers'],
  ['a warning', { ok: true, warning: true as const }, 'warn    cache: answers'],
  [
    'a warning that something can be done about',
    { ok: true, warning: true as const, fix: 'Look at it.' },
    'warn    cache: answers\n        Look at it.',
  ],
  ['what failed', { ok: false, fix: 'Start it.' }, 'FAILED  cache: answers\n        Start it.'],
])('the lines of %s', (_name, check, lines) => {
  expect(describeCheck({ name: 'cache', detail: 'answers', ...check })).toBe(lines)
})
