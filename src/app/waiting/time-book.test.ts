import { expect, test } from 'vitest'
import { createTimeBook } from './time-book.ts'

/** A thread with a virtual clock: it works or waits for events. */
function openThread() {
  let nowMs = 1_000
  let idleMs = 0
  const clock = { monotonicMs: () => nowMs }
  const book = createTimeBook({ clock, idleMs: () => idleMs, lagMsMax: 50 })
  return {
    book,
    works(ms: number) {
      nowMs += ms
    },
    rests(ms: number) {
      nowMs += ms
      idleMs += ms
    },
  }
}

test('work is booked to its organization, and waiting for events to none', () => {
  const { book, works, rests } = openThread()
  book.begin('a')
  works(3)
  rests(100)
  book.begin('a')
  works(1)
  book.begin('b')
  works(2)
  book.begin('')
  works(50)
  book.begin('a')
  expect(book.usedMs('a')).toBe(4)
  expect(book.usedMs('b')).toBe(2)
  expect(book.usedMs('')).toBe(0)
})

test('work before its organization is known is booked to the organization afterwards', () => {
  const { book, works } = openThread()
  works(7)
  book.begin('')
  works(2)
  book.claim('a')
  works(3)
  book.begin('')
  works(4)
  book.begin('')
  works(1)
  book.claim('b')
  book.begin('')
  expect([book.usedMs('a'), book.usedMs('b')]).toEqual([5, 1])
})

test('half of the used time fades in 1.4 s, and later all of it', () => {
  const { book } = openThread()
  book.add('a', 100)
  for (let sample = 0; sample < 28; sample += 1) book.observeLag(0)
  expect(book.usedMs('a')).toBeCloseTo(49.2, 1)
  expect(book.hasOthers('b')).toBe(true)
  for (let sample = 0; sample < 280; sample += 1) book.observeLag(0)
  expect(book.usedMs('a')).toBe(0)
  expect(book.hasOthers('b')).toBe(false)
})

test('an organization is alone until another one has booked time', () => {
  const { book } = openThread()
  book.add('a', 1)
  expect([book.hasOthers('a'), book.hasOthers('b')]).toEqual([false, true])
  book.add('b', 1)
  expect(book.hasOthers('a')).toBe(true)
})

test('an organization is above its equal part if a further request of 1 ms would exceed the part', () => {
  const { book } = openThread()
  expect(book.isAbove('a')).toBe(true)
  book.add('a', 10)
  expect([book.isAbove('a'), book.isAbove('b')]).toEqual([true, false])
  book.add('b', 8)
  expect([book.isAbove('a'), book.isAbove('b')]).toEqual([true, false])
  book.add('b', 1)
  expect([book.isAbove('a'), book.isAbove('b')]).toEqual([true, true])
})

test('above its part an organization waits while the thread is busy, unless it is alone', () => {
  const { book, works, rests } = openThread()
  const observe = (workedMs: number, restedMs: number) => {
    works(workedMs)
    rests(restedMs)
    book.observeLag(0)
  }
  observe(50, 0)
  book.add('a', 10)
  expect(book.mustWait('a')).toBe(false)
  book.add('b', 5)
  expect([book.mustWait('a'), book.mustWait('b')]).toEqual([true, false])
  observe(40, 10)
  expect(book.mustWait('a')).toBe(false)
  observe(41, 9)
  expect(book.mustWait('a')).toBe(true)
})

test('one slow turn does not make the thread late, several do, and a quick turn lowers the lag', () => {
  const { book } = openThread()
  book.observeLag(60_000)
  expect(book.isLate).toBe(false)
  book.observeLag(60_000)
  expect(book.isLate).toBe(true)
  book.observeLag(0)
  expect(book.isLate).toBe(false)
})

test('a timer that rings early is not negative lag', () => {
  const { book } = openThread()
  book.observeLag(-10_000)
  book.observeLag(120)
  book.observeLag(120)
  expect(book.isLate).toBe(true)
})
