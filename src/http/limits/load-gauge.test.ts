import { expect, test } from 'vitest'
import { createTimeBook } from '../../app/waiting/time-book.ts'
import type { BodyTurns } from '../../ports/body-turns.ts'
import { CALM_IN_FLIGHT, createLoadGauge } from './load-gauge.ts'

test('requests are accepted up to the limit', () => {
  const load = createLoadGauge({ inFlightMax: 2, lagMsMax: 50 })
  load.begin('a')
  expect(load.isOver()).toBe(false)
  load.begin('a')
  expect(load.isOver()).toBe(true)
  load.end('a')
  expect(load.isOver()).toBe(false)
})

/** Turns of a process whose loop is late, in which organizations have used this time. */
function lateTurns(used: Record<string, number> = {}): BodyTurns {
  const book = createTimeBook({ clock: { monotonicMs: () => 0 }, lagMsMax: 50 })
  for (let sample = 0; sample < 3; sample += 1) book.observeLag(90)
  for (const [holder, ms] of Object.entries(used)) book.add(holder, ms)
  return { book, take() {}, waitMsOf: () => 0 }
}

test('a late loop alone refuses nothing while fewer than 32 requests are in flight', () => {
  const load = createLoadGauge({ inFlightMax: 100, lagMsMax: 50 }, lateTurns())
  for (let begun = 0; begun < 31; begun += 1) load.begin('a')
  expect(load.isOver()).toBe(false)
  expect(load.apiErrorFor('a')).toBeUndefined()
  load.begin('a')
  expect(load.isOver()).toBe(true)
  expect(load.apiErrorFor('a')).toMatchObject({ code: 'overloaded' })
})

test('one organization leaves an eighth of the slots to the others', () => {
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

test('once most slots are taken, an organization above its equal part gets no more, and the last slots are for organizations without any', () => {
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

test('a late event loop refuses organizations above an equal part of its time, even with fewer requests', () => {
  const load = createLoadGauge({ inFlightMax: 1_000, lagMsMax: 50 }, lateTurns({ a: 300, b: 90 }))
  for (let begun = 0; begun < 5; begun += 1) load.begin('a')
  for (let begun = 0; begun < 40; begun += 1) load.begin('b')
  expect(load.apiErrorFor('a')).toMatchObject({ code: 'overloaded' })
  expect(load.apiErrorFor('b')).toBeUndefined()
  expect(load.apiErrorFor('another')).toBeUndefined()
})

test('a late event loop refuses many organizations with one request each', () => {
  const used = Object.fromEntries(Array.from({ length: 100 }, (_, each) => [`org_${each}`, 0.9]))
  const load = createLoadGauge({ inFlightMax: 1_000, lagMsMax: 50 }, lateTurns(used))
  for (const holder of Object.keys(used)) load.begin(holder)
  expect(load.apiErrorFor('another')).toMatchObject({ code: 'overloaded' })
})

test('an organization whose bodies wait too long is refused alone, from 32 requests in flight on', () => {
  const waitMsOf = (holder: string) => (holder === 'a' ? 201 : 200)
  const book = createTimeBook({ clock: { monotonicMs: () => 0 } })
  const load = createLoadGauge({ inFlightMax: 1_000, lagMsMax: 200 }, { book, take() {}, waitMsOf })
  for (let count = 0; count < CALM_IN_FLIGHT; count += 1) {
    expect(load.apiErrorFor('a')).toBeUndefined()
    load.begin('a')
    load.begin('b')
  }
  expect(load.apiErrorFor('a')).toMatchObject({ code: 'overloaded' })
  expect(load.apiErrorFor('b')).toBeUndefined()
  expect(load.isOver()).toBe(false)
})
