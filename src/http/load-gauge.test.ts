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

test('one slow turn is forgiven, however slow', () => {
  const load = createLoadGauge({ inFlightMax: 2, lagMsMax: 50 })
  load.observeLag(60_000)
  expect(load.isOver()).toBe(false)
  load.observeLag(60_000)
  expect(load.isOver()).toBe(true)
})

test('one slow turn is forgiven, several are not, and calm is believed', () => {
  const load = createLoadGauge({ inFlightMax: 2, lagMsMax: 50 })
  load.observeLag(90)
  expect(load.isOver()).toBe(false)
  load.observeLag(90)
  expect(load.isOver()).toBe(true)
  load.observeLag(0)
  expect(load.isOver()).toBe(false)
})

test('a timer that rings early is not negative load', () => {
  const load = createLoadGauge({ inFlightMax: 2, lagMsMax: 50 })
  load.observeLag(-10_000)
  load.observeLag(120)
  load.observeLag(120)
  expect(load.isOver()).toBe(true)
})
