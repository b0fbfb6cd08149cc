import { expect, test } from 'vitest'
import { DEATHS_WHILE_STARTING_MAX, decideWorkerRestart, EARLY_DEATH_MS } from './decide-worker-restart.ts'

/** Returns the decision after each death of a worker; `livesMs` says how long each worker lived. */
function setup(starting: boolean, livesMs: readonly number[]): (number | 'give-up')[] {
  let deaths = 0
  return livesMs.map((livedMs) => {
    const after = decideWorkerRestart({ starting, deaths, livedMs, exitCode: null })
    deaths = after.deaths
    return after.next.kind === 'restart' ? after.next.delayMs : after.next.kind
  })
}

test('while starting, the fifth kill is the last, even of workers that lived long', () => {
  const lives = [1, EARLY_DEATH_MS + 1, 20, 60_000, 3]
  expect(lives).toHaveLength(DEATHS_WHILE_STARTING_MAX)
  expect(setup(true, lives)).toEqual([500, 500, 500, 500, 'give-up'])
})

test('while serving, workers are always replaced, with a delay that doubles up to ten seconds', () => {
  expect(setup(false, Array(8).fill(10))).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000])
})

test('a worker that lived long enough makes the delay short again', () => {
  const young = EARLY_DEATH_MS - 1
  expect(setup(false, [young, young, EARLY_DEATH_MS, young, young])).toEqual([500, 1000, 500, 500, 1000])
})

test('while starting, a worker that ended with exit code 1 is not replaced, because it has reported the cause', () => {
  expect(decideWorkerRestart({ starting: true, deaths: 0, livedMs: 1, exitCode: 1 }).next).toEqual({
    kind: 'give-up',
  })
  expect(decideWorkerRestart({ starting: false, deaths: 0, livedMs: 1, exitCode: 1 }).next.kind).toBe(
    'restart',
  )
})
