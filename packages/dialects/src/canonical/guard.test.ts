import { expect, test } from 'vitest'
import { arbitraryEvents } from '../../../../test/fixtures/text/arbitrary-events.ts'
import { fc, runs } from '../../../../test/random/properties.ts'
import { createGuard } from './guard.ts'
import type { ReplyEvent } from './reply-event.ts'

const START: ReplyEvent = { kind: 'reply-start', tokens: undefined }
const TEXT: ReplyEvent = { kind: 'block-start', block: { kind: 'text' } }
const REASONING: ReplyEvent = { kind: 'block-start', block: { kind: 'reasoning' } }
const OPAQUE: ReplyEvent = { kind: 'block-start', block: { kind: 'opaque', origin: 'chat', raw: {} } }
const DELTA: ReplyEvent = { kind: 'block-delta', text: 'a' }
const EMPTY: ReplyEvent = { kind: 'block-delta', text: '' }
const SEAL: ReplyEvent = { kind: 'block-seal', seal: { provider: 'vendorC', proof: 'p' } }
const CLOSE: ReplyEvent = { kind: 'block-end' }
const END: ReplyEvent = { kind: 'reply-end', reason: { kind: 'done' }, tokens: undefined }
const FAILED: ReplyEvent = { kind: 'reply-failed', failure: { kind: 'vendor', message: 'No.' } }

function guarded(events: readonly ReplyEvent[]): ReplyEvent[] {
  const passed: ReplyEvent[] = []
  const guard = createGuard((event) => passed.push(event))
  for (const event of events) guard(event)
  return passed
}

const piece = (text: string): ReplyEvent => ({ kind: 'block-delta', text })

test('a long call input passes if it has one long text; one with many values or beyond the limit fails', () => {
  const long = piece(`"${'x'.repeat(1024 * 1024)}"`)
  const text = [START, CALL, piece('{"a":'), long, piece('}'), CLOSE, END]
  expect(guarded(text)).toEqual(text)
  const many = piece(`{"a":[${'1,'.repeat(200_000)}1]}`)
  expect(guarded([START, CALL, many, CLOSE, END]).at(-1)).toMatchObject({ kind: 'reply-failed' })
  const endless = [START, CALL, piece('{"a":'), ...Array(5).fill(long)]
  expect(guarded(endless).at(-1)).toMatchObject({ failure: { message: expect.stringContaining('too long') } })
})

test('a valid reply passes as it is', () => {
  fc.assert(
    fc.property(arbitraryEvents(), (events) => {
      expect(guarded(events)).toEqual(events)
    }),
    runs(300),
  )
})

test.each<[breach: string, before: ReplyEvent[], event: ReplyEvent]>([
  ['a block before its beginning', [], TEXT],
  ['content outside a block', [], DELTA],
  ['an end before its beginning', [], END],
  ['it began twice', [START], START],
  ['content outside a block', [START], DELTA],
  ['a seal outside a block', [START], SEAL],
  ['the end of a block that is not open', [START], CLOSE],
  ['the end of a block that is not open', [START, TEXT, CLOSE], CLOSE],
  ['a block within a block', [START, TEXT, DELTA], TEXT],
  ['an empty piece of content', [START, TEXT], EMPTY],
  ['content in an opaque block', [START, OPAQUE], DELTA],
  ['a seal on something that is not reasoning', [START, TEXT], SEAL],
  ['two seals on a block', [START, REASONING, SEAL], SEAL],
  ['content after a seal', [START, REASONING, SEAL], DELTA],
  ['a block within a block', [START, REASONING, SEAL], TEXT],
  ['an end within a block', [START, TEXT, DELTA], END],
  ['an end within a block', [START, REASONING, SEAL], END],
])('%s fails the reply once', (breach, before, event) => {
  const message = `The provider's reply is not well formed: ${breach}.`
  expect(guarded([...before, event, CLOSE, FAILED, END])).toEqual([
    ...before,
    { kind: 'reply-failed', failure: { kind: 'broken', message } },
  ])
})

test.each([[END], [FAILED]])('nothing follows %j', (last) => {
  expect(guarded([START, last, START, TEXT, END, FAILED])).toEqual([START, last])
})

test('any order of events comes out as a valid one that ends at most once', () => {
  const anyEvents = fc.array(
    fc.constantFrom(START, TEXT, REASONING, OPAQUE, DELTA, EMPTY, SEAL, CLOSE, END, FAILED),
    { maxLength: 20 },
  )
  fc.assert(
    fc.property(anyEvents, (events) => {
      const passed = guarded(events)
      expect(guarded(passed)).toEqual(passed)
      const ends = passed.filter(({ kind }) => kind === 'reply-end' || kind === 'reply-failed')
      expect(ends).toEqual(ends.length === 0 ? [] : [passed.at(-1)])
    }),
  )
})

const CALL: ReplyEvent = {
  kind: 'block-start',
  block: { kind: 'tool-call', callId: 'c', name: 'run', namespace: undefined, input: 'json' },
}
const called = (...pieces: string[]): ReplyEvent[] => [
  START,
  CALL,
  ...pieces.map((text): ReplyEvent => ({ kind: 'block-delta', text })),
  CLOSE,
]

test.each([['{"command":', '"rm'], ['"rm"'], ['[1]'], ['{}{}'], ['rm -rf']])(
  'a call with unreadable input fails the reply: %j',
  (...pieces) => {
    const events = [...called(...pieces), TEXT, DELTA, CLOSE]
    expect(guarded([...events, END])).toEqual([
      ...events,
      {
        kind: 'reply-failed',
        failure: {
          kind: 'broken',
          message: "The provider's reply is not well formed: a call whose input is not a JSON object.",
        },
      },
    ])
  },
)

test.each([[], ['{"a":', '1}'], ['null'], [' ']])('a readable input passes: %j', (...pieces) => {
  const events = [...called(...pieces), END]
  expect(guarded(events)).toEqual(events)
})

test.each(['length', 'content-filter'] as const)(
  'a reply that was cut short may end in a call: %s',
  (kind) => {
    const events: ReplyEvent[] = [
      ...called('{"command":"rm'),
      { kind: 'reply-end', reason: { kind }, tokens: undefined },
    ]
    expect(guarded(events)).toEqual(events)
  },
)
