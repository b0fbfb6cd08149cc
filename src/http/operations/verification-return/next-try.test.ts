import { expect, it } from 'vitest'
import { nextTryOf, triesOf } from './next-try.ts'

it.each([
  ['/return/x', 0, '?try=1', 5],
  ['/return/x?', 0, '?try=1', 5],
  ['/return/x?resultCode=10000&b=%22%3E', 0, '?resultCode=10000&b=%22%3E&try=1', 5],
  ['/return/x?try=2&resultCode=10000', 2, '?resultCode=10000&try=3', 10],
  ['/return/x?a=?try=3&try=1&try=9', 1, '?a=?try=3&try=2', 5],
  ['/return/x?retry=4', 0, '?retry=4&try=1', 5],
  ['/return/x?try=-1', 0, '?try=1', 5],
  ['/return/x?try=1.5', 0, '?try=1', 5],
  ['/return/x?try=no', 0, '?try=1', 5],
])('%s was tried %i times by its page', (address, tries, url, afterSeconds) => {
  expect(triesOf(address)).toBe(tries)
  expect(nextTryOf(address)).toEqual({ url, afterSeconds })
})

it('the attempts end after six retries', () => {
  const visited = ['/return/x']
  for (let next = nextTryOf('/return/x'); next !== undefined; next = nextTryOf(next.url))
    visited.push(next.url)
  expect(visited).toHaveLength(7)
  expect(nextTryOf('/return/x?try=999999')).toBeUndefined()
})
