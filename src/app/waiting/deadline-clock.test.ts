import { expect, test } from 'vitest'
import { recordingLog } from '../../../test/engines/video-work/recording-log.ts'
import { createDeadlineClock } from './deadline-clock.ts'

const HOUR_MS = 3_600_000
const JUMPED = 'clock.jumped'

function openScenario() {
  const time = { wallMs: 1_000_000_000, monotonicMs: 0 }
  const log = recordingLog()
  const clock = { nowMs: () => time.wallMs, monotonicMs: () => time.monotonicMs }
  const deadlines = createDeadlineClock({ clock, log })
  const pass = (ms: number) => {
    time.wallMs += ms
    time.monotonicMs += ms
    deadlines.look()
  }
  const jump = (ms: number) => {
    time.wallMs += ms
  }
  return { deadlines, time, pass, jump, log }
}

test('equals the wall clock', () => {
  const { deadlines, time, pass, log } = openScenario()
  for (let second = 0; second < 100; second += 1) pass(1_000)
  expect(deadlines.nowMs()).toBe(time.wallMs)
  expect(log.count(JUMPED)).toBe(0)
})

test('after a forward jump, the time from before the jump runs on for a minute', () => {
  const { deadlines, time, pass, jump, log } = openScenario()
  const beforeMs = time.wallMs
  jump(HOUR_MS)
  expect(deadlines.nowMs()).toBe(beforeMs)
  pass(59_999)
  expect(deadlines.nowMs()).toBe(beforeMs + 59_999)
  pass(1)
  expect(deadlines.nowMs()).toBe(time.wallMs)
  expect(log.count(JUMPED)).toBe(1)
})

test('a clock that goes back is followed immediately, and its return causes no expiry', () => {
  const { deadlines, time, pass, jump, log } = openScenario()
  jump(-HOUR_MS)
  expect(deadlines.nowMs()).toBe(time.wallMs)
  pass(120_000)
  jump(HOUR_MS)
  expect(deadlines.nowMs()).toBe(time.wallMs - HOUR_MS)
  expect(log.count(JUMPED)).toBe(2)
})

test('small corrections of the clock are not a jump', () => {
  const { deadlines, time, pass, jump, log } = openScenario()
  for (let second = 0; second < 100; second += 1) {
    jump(4_000)
    pass(1_000)
  }
  expect(deadlines.nowMs()).toBe(time.wallMs)
  expect(log.count(JUMPED)).toBe(0)
})

test('returns whole milliseconds after a jump, although the monotonic clock has fractions', () => {
  const { deadlines, time, jump } = openScenario()
  time.monotonicMs += 1_000.25
  jump(HOUR_MS)
  expect(Number.isInteger(deadlines.nowMs())).toBe(true)
})
