import { describe, expect, it } from 'vitest'
import { createSandboxClock } from './clock.ts'

describe('createSandboxClock', () => {
  it('lets a vendor hour pass in a minute at speed 60', () => {
    let nowMs = 1_000_000
    const clock = createSandboxClock({ nowMs: () => nowMs, speed: 60 })
    nowMs += 60_000
    expect(clock.elapsedMs(1_000_000)).toBe(3_600_000)
    expect(clock.realMs(3_600_000)).toBe(60_000)
    expect(clock.nowMs()).toBe(1_060_000)
  })

  it('continues after a restart where it was', () => {
    const nowMs = () => 5_000
    const before = createSandboxClock({ nowMs, speed: 10 })
    const after = createSandboxClock({ nowMs, speed: 10 })
    expect(after.elapsedMs(1_000)).toBe(before.elapsedMs(1_000))
  })

  it('never counts below zero when real time jumps back', () => {
    expect(createSandboxClock({ nowMs: () => 0, speed: 10 }).elapsedMs(1_000)).toBe(0)
  })

  it('refuses a value that is not a speed', () => {
    for (const speed of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => createSandboxClock({ nowMs: () => 0, speed })).toThrow(RangeError)
    }
  })
})
