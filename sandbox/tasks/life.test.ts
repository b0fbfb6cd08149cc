import { describe, expect, it } from 'vitest'
import { createSandboxClock } from '../clock.ts'
import { lifeOf, type Plan, stepAt } from './life.ts'
import type { ScriptWord } from './script-words.ts'

const clock = createSandboxClock({ nowMs: () => 0, speed: 10 })

function life(words: ScriptWord[], plan: Partial<Plan> = {}) {
  const steps = lifeOf(
    { startMs: 1_000, videoSeconds: 5, expiresAfterSeconds: 172_800, ...plan, words },
    clock,
  )
  return steps.map(({ stage, atMs }) => [stage, atMs])
}

const START = ['queued', 1_000]
const WORK = ['running', 3_000]

describe('the life of a task', () => {
  it.each<[ScriptWord[], unknown[]]>([
    [[], [START, WORK, ['succeeded', 11_000]]],
    [['slow'], [START, ['running', 21_000], ['succeeded', 101_000]]],
    [['instant'], [START, ['running', 1_000], ['succeeded', 1_000]]],
    [['stuck'], [START, WORK]],
    [['fail'], [START, WORK, ['failed', 7_000]]],
    [['moderate-late'], [START, WORK, ['moderated', 7_000]]],
    [['bad-media'], [START, WORK, ['bad-media', 7_000]]],
    [['expire'], [START, WORK, ['expired', 7_000]]],
    [['cancelled'], [START, WORK, ['cancelled', 7_000]]],
    [['gone'], [START, WORK, ['gone', 7_000]]],
  ])('%j', (words, steps) => {
    expect(life(words)).toEqual(steps)
  })

  it('takes longer for a longer video', () => {
    expect(life([], { videoSeconds: 15 }).at(-1)).toEqual(['succeeded', 15_000])
  })

  it('ends at its deadline, unless it is stuck', () => {
    expect(life([], { expiresAfterSeconds: 5 })).toEqual([START, WORK, ['expired', 6_000]])
    expect(life([], { expiresAfterSeconds: 1 })).toEqual([START, ['expired', 2_000]])
    expect(life([], { expiresAfterSeconds: 10 }).at(-1)).toEqual(['succeeded', 11_000])
    expect(life(['stuck'], { expiresAfterSeconds: 1 })).toEqual([START, WORK])
  })

  it('succeeds late: after the deadline, or after an hour without one', () => {
    expect(life(['late'], { expiresAfterSeconds: 30 }).at(-1)).toEqual(['succeeded', 37_000])
    expect(life(['late'], { expiresAfterSeconds: undefined }).at(-1)).toEqual(['succeeded', 361_000])
  })
})

it('a task is at the last step that has begun', () => {
  const steps = lifeOf({ startMs: 0, videoSeconds: 5, expiresAfterSeconds: 172_800, words: [] }, clock)
  const stages = [-1, 0, 1_999, 2_000, 9_999, 10_000].map((ms) => stepAt(steps, ms).stage)
  expect(stages).toEqual(['queued', 'queued', 'queued', 'running', 'running', 'succeeded'])
})
