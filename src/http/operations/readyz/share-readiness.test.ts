import { expect, test } from 'vitest'
import type { Readiness } from '../../../app/check-readiness.ts'
import { shareReadiness } from './operation.ts'

const UP: Readiness = { store: 'up', cache: 'up', problems: [], warnings: [] }

function asked() {
  const pending: PromiseWithResolvers<Readiness>[] = []
  let nowMs = 0
  const check = shareReadiness(
    () => {
      const answer = Promise.withResolvers<Readiness>()
      pending.push(answer)
      return answer.promise
    },
    { nowMs: () => 0, monotonicMs: () => nowMs },
  )
  return { check, pending, advance: (ms: number) => (nowMs += ms) }
}

test('simultaneous requests share one answer, even a slow one', async () => {
  const { check, pending, advance } = asked()
  const answers = [check(), check()]
  advance(10_000)
  answers.push(check())
  expect(pending).toHaveLength(1)
  pending[0]?.resolve(UP)
  expect(await Promise.all(answers)).toEqual([UP, UP, UP])
})

test('an answer is good for a second', async () => {
  const { check, pending, advance } = asked()
  const first = check()
  pending[0]?.resolve(UP)
  await first
  advance(999)
  expect(await check()).toBe(UP)
  expect(pending).toHaveLength(1)
  advance(1)
  void check()
  expect(pending).toHaveLength(2)
})

test('a failure is good for a second too', async () => {
  const { check, pending, advance } = asked()
  const first = check()
  pending[0]?.reject(new Error('down'))
  await expect(first).rejects.toThrow('down')
  await expect(check()).rejects.toThrow('down')
  expect(pending).toHaveLength(1)
  advance(1_000)
  void check()
  expect(pending).toHaveLength(2)
})
