import { expect, test } from 'vitest'
import { boundPerMinute } from './bound-per-minute.ts'

function openBound() {
  let atMs = 0
  const clock = { nowMs: () => atMs, monotonicMs: () => atMs }
  return {
    ...boundPerMinute({ clock, max: 10 }),
    passMs(ms: number) {
      atMs += ms
    },
  }
}

test('429 after ten attempts in a minute, until the minute is over', () => {
  const bound = openBound()
  for (let wrong = 0; wrong < 10; wrong++) bound.count('one')
  bound.passMs(20_000)
  expect(bound.count('one')).toMatchObject({ status: 429, retryAfterSeconds: 40 })
  expect(bound.count('other')).toBeUndefined()
  bound.passMs(40_000)
  expect(bound.count('one')).toBeUndefined()
})

test('many addresses push out the oldest, and nothing else', () => {
  const bound = openBound()
  for (let wrong = 0; wrong < 10; wrong++) bound.count('first')
  for (let wrong = 0; wrong < 10; wrong++) bound.count('second')
  for (let other = 0; other < 9_999; other++) bound.count(`address ${other}`)
  expect(bound.count('second')).toMatchObject({ status: 429 })
  expect(bound.count('first')).toBeUndefined()
})
