import { expect, test } from 'vitest'
import { CALM_IN_FLIGHT, createLoadGauge } from './load-gauge.ts'

test('there is room for as many requests as the bound says', () => {
  const load = createLoadGauge({ inFlightMax: 2, lagMsMax: 50 })
  load.begin('a')
  expect(load.isOver()).toBe(false)
  load.begin('a')
  expect(load.isOver()).toBe(true)
  load.end('a')
  expect(load.isOver()).toBe(false)
})

/** A gauge of a process that has enough to do for its lag to mean something. */
function busyGauge() {
  const load = createLoadGauge({ inFlightMax: 100, lagMsMax: 50 })
  for (let begun = 0; begun < 32; begun += 1) load.begin('a')
  return load
}

test('a late loop alone is no load: below 32 requests in flight none is refused for it', () => {
  const load = createLoadGauge({ inFlightMax: 100, lagMsMax: 50 })
  for (let sample = 0; sample < 100; sample += 1) load.observeLag(60_000)
  expect(load.isOver()).toBe(false)
  for (let begun = 0; begun < 31; begun += 1) load.begin('a')
  expect(load.isOver()).toBe(false)
  load.begin('a')
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

test('one organization leaves an eighth of the places to the others', () => {
  const load = createLoadGauge({ inFlightMax: 64, lagMsMax: 50 })
  for (let begun = 0; begun < 56; begun += 1) {
    expect(load.apiErrorFor('a')).toBeUndefined()
    load.begin('a')
  }
  expect(load.apiErrorFor('a')).toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 1 })
  expect(load.apiErrorFor('b')).toBeUndefined()
  load.end('a')
  expect(load.apiErrorFor('a')).toBeUndefined()
})

test('once most places are taken, an organization beyond its equal part gets no more, and the last are for those with none', () => {
  const load = createLoadGauge({ inFlightMax: 64, lagMsMax: 50 })
  for (let begun = 0; begun < 50; begun += 1) load.begin('a')
  for (let begun = 0; begun < 6; begun += 1) load.begin('b')
  expect(load.apiErrorFor('a')).toMatchObject({ code: 'rate_limit_exceeded' })
  for (let begun = 6; begun < 8; begun += 1) {
    expect(load.apiErrorFor('b')).toBeUndefined()
    load.begin('b')
  }
  expect(load.apiErrorFor('b')).toMatchObject({ code: 'rate_limit_exceeded' })
  for (let begun = 58; begun < 64; begun += 1) {
    expect(load.apiErrorFor(`organization ${begun}`)).toBeUndefined()
    load.begin(`organization ${begun}`)
  }
  expect(load.apiErrorFor('another')).toMatchObject({ code: 'overloaded' })
  for (let ended = 0; ended < 20; ended += 1) load.end('a')
  expect(load.apiErrorFor('a')).toBeUndefined()
})

test('a late loop refuses those who make it late, and not an organization with little in flight', () => {
  const load = createLoadGauge({ inFlightMax: 1_000, lagMsMax: 50 })
  for (let begun = 0; begun < 40; begun += 1) load.begin('a')
  for (let sample = 0; sample < 3; sample += 1) load.observeLag(90)
  expect(load.apiErrorFor('a')).toMatchObject({ code: 'overloaded' })
  expect(load.apiErrorFor('b')).toBeUndefined()
  for (let begun = 0; begun < 9; begun += 1) load.begin('b')
  expect(load.apiErrorFor('b')).toBeUndefined()
  for (let begun = 9; begun < 20; begun += 1) load.begin('b')
  expect(load.apiErrorFor('b')).toMatchObject({ code: 'overloaded' })
})

test('a late loop refuses many organizations with one request each', () => {
  const load = createLoadGauge({ inFlightMax: 1_000, lagMsMax: 50 })
  for (let each = 0; each < 100; each += 1) load.begin(`org_${each}`)
  for (let sample = 0; sample < 3; sample += 1) load.observeLag(90)
  expect(load.apiErrorFor('another')).toMatchObject({ code: 'overloaded' })
})

test('tells how many requests of others have begun since some moment', () => {
  const load = createLoadGauge({ inFlightMax: 100, lagMsMax: 200 })
  load.begin('a')
  const before = load.begunBeside('a')
  load.begin('a')
  load.end('a')
  expect(load.begunBeside('a')).toBe(before)
  load.begin('b')
  load.end('b')
  load.begin('b')
  expect(load.begunBeside('a')).toBe(before + 2)
})

test('an organization whose bodies wait for too long is refused alone, once it has more than a few in flight', () => {
  const load = createLoadGauge({ inFlightMax: 1_000, lagMsMax: 200 }, (holder) =>
    holder === 'a' ? 201 : 200,
  )
  for (let count = 0; count < CALM_IN_FLIGHT; count += 1) {
    expect(load.apiErrorFor('a')).toBeUndefined()
    load.begin('a')
    load.begin('b')
  }
  expect(load.apiErrorFor('a')).toMatchObject({ code: 'overloaded' })
  expect(load.apiErrorFor('b')).toBeUndefined()
  expect(load.isOver()).toBe(false)
})
