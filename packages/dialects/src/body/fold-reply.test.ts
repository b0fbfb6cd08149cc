import { expect, test } from 'vitest'
import type { ReplyEvent } from '../canonical/reply-event.ts'
import { foldReply } from './reply-jobs.ts'

const START: ReplyEvent = { kind: 'reply-start', tokens: undefined }
const TEXT: ReplyEvent = { kind: 'block-start', block: { kind: 'text' } }
const WORDS: ReplyEvent = { kind: 'block-delta', text: 'né' }
const CLOSE: ReplyEvent = { kind: 'block-end' }
const END: ReplyEvent = { kind: 'reply-end', reason: { kind: 'done' }, tokens: undefined }
const FAILED: ReplyEvent = { kind: 'reply-failed', failure: { kind: 'busy', message: 'Later.' } }

const PLAIN = { stopSequences: [], countInput: () => 50 }

const write = (events: readonly ReplyEvent[]) => ({
  body: events.map(({ kind }) => kind),
  losses: new Set<never>(),
})

test('a reply that ended well is written, and its text is counted', () => {
  const events = [START, TEXT, WORDS, CLOSE, END]
  expect(foldReply(events, PLAIN, write)).toMatchObject({
    kind: 'reply',
    body: JSON.stringify(events.map(({ kind }) => kind)),
    outputBytes: 3,
    // The vendor counted nothing, so the gateway counted.
    tokens: { input: 50, output: 1 },
  })
})

test.each([
  ['words outside a block', [START, WORDS, END]],
  ['a block that is not closed', [START, TEXT, WORDS, END]],
  ['an end before its beginning', [END]],
  ['no end', [START, TEXT, WORDS, CLOSE]],
  ['nothing', []],
])('%s is not a reply', (_, events) => {
  expect(foldReply(events, PLAIN, write)).toMatchObject({ kind: 'failed', failure: { kind: 'broken' } })
})

test("a vendor's own failure is reported unchanged", () => {
  expect(foldReply([START, FAILED], PLAIN, write)).toMatchObject({
    kind: 'failed',
    failure: { kind: 'busy' },
  })
})

test('the text is cut at a stop sequence', () => {
  const reply = foldReply([START, TEXT, WORDS, CLOSE, END], { ...PLAIN, stopSequences: ['é'] }, write)
  expect(reply).toMatchObject({ kind: 'reply', outputBytes: 1 })
})
