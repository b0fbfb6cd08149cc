import { expect, test } from 'vitest'
import { createLoadGauge } from './load-gauge.ts'

test('there is room for as many requests as the bound says', () => {
  const load = createLoadGauge({ inFlightMax: 2, lagMsMax: 50 })
  load.begin()
  expect(load.isOver()).toBe(false)
  load.begin()
  expect(load.isOver()).toBe(true)
  load.end()
  expect(load.isOver()).toBe(false)
})

/** A gauge of a process that has enough to do for its lag to mean something. */
function busyGauge() {
  const load = createLoadGauge({ inFlightMax: 100, lagMsMax: 50 })
  for (let begun = 0; begun < 32; begun += 1) load.begin()
  return load
}

test('a late loop alone is no load: below 32 requests in flight none is refused for it', () => {
  const load = createLoadGauge({ inFlightMax: 100, lagMsMax: 50 })
  for (let sample = 0; sample < 100; sample += 1) load.observeLag(60_000)
  expect(load.isOver()).toBe(false)
  for (let begun = 0; begun < 31; begun += 1) load.begin()
  expect(load.isOver()).toBe(false)
  load.begin()
  expect(load.isOver()).toBe(true)
})

test('one slow turn is forgiven, however slow', () => {
  const load = busyGauge()
  load.observeLag(60_000)
  expect(load.isOver()).toBe(false)
  load.observeLag(60_000)
  expect(load.isOver()).toBe(true)
})

test('one slow turn is forgiven, several are not, and calm is believed', () => {
  const load = busyGauge()
  load.observeLag(90)
  expect(load.isOver()).toBe(false)
  load.observeLag(90)
  expect(load.isOver()).toBe(true)
  load.observeLag(0)
  expect(load.isOver()).toBe(false)
})

test('a timer that rings early is not negative load', () => {
  const load = busyGauge()
  load.observeLag(-10_000)
  load.observeLag(120)
  load.observeLag(120)
  expect(load.isOver()).toBe(true)
})
