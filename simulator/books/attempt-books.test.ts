import { expect, test } from 'vitest'
import { AttemptBooks, type Sent, type VideoRecord } from './attempt-books.ts'

const TAG = 'tag-1'

function recordOf(provider: string): VideoRecord {
  return {
    ...{ ticket: `ticket of ${provider}`, tag: TAG, provider, status: 'running', measured: {} },
    ...{ isDeleted: false, errorCode: undefined, isFailureRead: false, noticeToken: undefined },
    succeededAtMs: undefined,
  }
}

/** The vendor answers with 5xx, and makes the video nevertheless. */
function denied(isReceived: boolean): Sent & { record: VideoRecord } {
  return {
    ...{ tag: TAG, model: 'vendorA/gen-2.0', isReceived, isGivenUp: false, record: recordOf('vendorA') },
    answer: 'refused for its own reasons',
  }
}

const NEXT: Sent = {
  ...{ tag: TAG, model: 'vendorB/gen-v4-fast', isReceived: false, isGivenUp: false, record: undefined },
  answer: 'taken',
}

test('a denial that did not reach the store is a lost answer: a notice may adopt what the vendor makes', () => {
  // Both cases: a replica may crash between reading the answer and writing it.
  for (const isReceived of [false, true]) {
    const books = new AttemptBooks()
    const sent = denied(isReceived)
    books.arrived(sent)
    expect(books.recordOf(TAG)).toBe(sent.record)
  }
})

test('a denial that the store knows counts, whatever the vendor makes', () => {
  const books = new AttemptBooks()
  books.arrived(denied(true))
  books.givenUp(TAG)
  expect(books.recordOf(TAG)).toBeUndefined()
})

test('another vendor may be asked only after a denial that a replica has received', () => {
  const received = new AttemptBooks()
  received.arrived(denied(true))
  received.arrived(NEXT)
  const unreported = new AttemptBooks()
  unreported.arrived(denied(false))
  expect(() => unreported.arrived(NEXT)).toThrow('attempt-after-unresolved')
})

test('a denied video that a notice adopted may fail, and is then a reason for another vendor', () => {
  const books = new AttemptBooks()
  const sent = denied(false)
  books.arrived(sent)
  Object.assign(sent.record, { status: 'failed', errorCode: 'internal_error', isFailureRead: true })
  books.arrived(NEXT)
  const atFault = new AttemptBooks()
  const refused = denied(false)
  atFault.arrived(refused)
  Object.assign(refused.record, { errorCode: 'content_policy_violation', isFailureRead: true })
  expect(() => atFault.arrived(NEXT)).toThrow('handed-over-for-nothing')
})
