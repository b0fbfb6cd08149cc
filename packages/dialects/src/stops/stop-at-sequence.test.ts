import { expect, test } from 'vitest'
import { arbitraryEvents } from '../../../../test/fixtures/text/arbitrary-events.ts'
import { fc, runs } from '../../../../test/random/properties.ts'
import { createGuard } from '../canonical/guard.ts'
import type { ReplyEvent } from '../canonical/reply-event.ts'
import { cutAtSequence, stopAtSequence } from './stop-at-sequence.ts'

const START: ReplyEvent = { kind: 'reply-start', tokens: undefined }
const CLOSE: ReplyEvent = { kind: 'block-end' }
const TOKENS = { input: 1, cachedInput: 0, cacheWrite: 0, output: 9, reasoning: 0 }
const END: ReplyEvent = { kind: 'reply-end', reason: { kind: 'done' }, tokens: TOKENS }
const FAILED: ReplyEvent = { kind: 'reply-failed', failure: { kind: 'vendor', message: 'No.' } }

function block(kind: 'text' | 'reasoning' | 'refusal', ...pieces: string[]): ReplyEvent[] {
  const deltas = pieces.map((text): ReplyEvent => ({ kind: 'block-delta', text }))
  return [{ kind: 'block-start', block: { kind } }, ...deltas, CLOSE]
}

function text(...pieces: string[]): ReplyEvent[] {
  return block('text', ...pieces)
}

function run(events: readonly ReplyEvent[], sequences: readonly string[]) {
  const passed: ReplyEvent[] = []
  let stops = 0
  const guard = createGuard((event) => passed.push(event))
  const take = stopAtSequence({
    sequences,
    emit: guard,
    onStop: () => {
      stops += 1
    },
  })
  for (const event of events) take(event)
  return { passed, stops, reply: summary(passed) }
}

/** The texts of the blocks, and how the reply ended. */
function summary(events: readonly ReplyEvent[]): string[] {
  const reported: string[] = []
  for (const event of events) {
    if (event.kind === 'block-start') reported.push(`${event.block.kind}:`)
    if (event.kind === 'block-delta') reported.push(`${reported.pop()}${event.text}`)
    if (event.kind === 'reply-end')
      reported.push(
        event.reason.kind === 'stop-sequence' ? `stop ${event.reason.sequence}` : event.reason.kind,
      )
    if (event.kind === 'reply-failed') reported.push('failed')
  }
  return reported
}

test.each<[what: string, blocks: ReplyEvent[][], sequences: string[], reply: string[]]>([
  ['within a piece', [text('one STOP two')], ['STOP'], ['text:one ', 'stop STOP']],
  ['over pieces', [text('one ', 'S', 'T', 'OP two')], ['STOP'], ['text:one ', 'stop STOP']],
  ['over blocks', [text('one ST'), text('OP two')], ['STOP'], ['text:one ', 'stop STOP']],
  ['over a block that is empty', [text('one ST'), text(), text('OP')], ['STOP'], ['text:one ', 'stop STOP']],
  [
    'at the beginning of a later block',
    [text('one'), text('STOP')],
    ['STOP'],
    ['text:one', 'text:', 'stop STOP'],
  ],
  ['after a beginning that led to nothing', [text('S', 'STOP')], ['STOP'], ['text:S', 'stop STOP']],
  ['after a beginning in the block before', [text('S'), text('STOP')], ['STOP'], ['text:S', 'stop STOP']],
  ['with repeats in it', [text('aab', 'aabaaab')], ['aabaaa'], ['text:aab', 'stop aabaaa']],
  ['the first of several', [text('a ', 'EN', 'D STOP')], ['STOP', 'END'], ['text:a ', 'stop END']],
  ['the one that is complete first', [text('abcd')], ['abcd', 'bc'], ['text:a', 'stop bc']],
  ['that is the longer of two at one position', [text('xab')], ['b', 'ab'], ['text:x', 'stop ab']],
  ['at the very beginning', [text('STOP')], ['STOP'], ['text:', 'stop STOP']],
  ['of several scripts', [text('川', '\u{1F30A}', '水')], ['\u{1F30A}水'], ['text:川', 'stop \u{1F30A}水']],
  ['ends of lines', [text('a\n', '\nHuman:')], ['\n\nHuman:'], ['text:a', 'stop \n\nHuman:']],
])('a sequence %s', (_what, blocks, sequences, reply) => {
  const { passed, stops, reply: reported } = run([START, ...blocks.flat(), END], sequences)
  expect(reported).toEqual(reply)
  expect(stops).toBe(1)
  expect(passed.at(-1)).toMatchObject({ kind: 'reply-end', tokens: undefined })
})

test.each<[what: string, blocks: ReplyEvent[][], sequences: string[]]>([
  ['only its beginning comes', [text('one ST', 'O'), block('reasoning', 'P')], ['STOP']],
  ['it is in reasoning', [block('reasoning', 'STOP'), block('refusal', 'STOP')], ['STOP']],
  ['something stands between its halves', [text('ST'), block('reasoning', 'x'), text('OP')], ['STOP']],
  ['an empty block follows a beginning', [text('ST'), text(), text('x')], ['STOP']],
  ['it is empty', [text('one')], ['']],
  ['there is none', [text('one')], []],
])('nothing changes when %s', (_what, blocks, sequences) => {
  const events = [START, ...blocks.flat(), END]
  const { reply, stops, passed } = run(events, sequences)
  expect(reply).toEqual(summary(events))
  expect(stops).toBe(0)
  expect(passed.at(-1)).toEqual(END)
})

test('text that cannot begin a sequence is not held back', () => {
  const { passed } = run([START, ...text('one', ' two S').slice(0, -1)], ['STOP'])
  expect(summary(passed)).toEqual(['text:one two '])
})

test('held text is emitted before a failure', () => {
  expect(run([START, ...text('one ST').slice(0, -1), FAILED], ['STOP']).reply).toEqual([
    'text:one ST',
    'failed',
  ])
  expect(run([START, ...text('one ST'), FAILED], ['STOP']).reply).toEqual(['text:one ST', 'failed'])
})

test('the usage of a whole reply stays that of the vendor', () => {
  const cut = cutAtSequence([START, ...text('one STOP'), ...block('refusal', 'x'), END], ['STOP'])
  expect(summary(cut)).toEqual(['text:one ', 'stop STOP'])
  expect(cut.at(-1)).toMatchObject({ tokens: TOKENS })
  expect(cutAtSequence([START, ...text('one'), END], ['STOP'])).toEqual([START, ...text('one'), END])
  expect(cutAtSequence([START, ...text('a STOP'), FAILED], ['STOP']).at(-1)).toMatchObject({
    tokens: undefined,
  })
})

test('any pieces give the result of a plain search in the whole text', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '水'), maxLength: 14 })
  const sequences = fc.array(
    fc.string({ unit: fc.constantFrom('a', 'b', '水'), minLength: 1, maxLength: 4 }),
    { maxLength: 3 },
  )
  fc.assert(
    fc.property(
      fc.array(fc.array(letters, { maxLength: 4 }), { maxLength: 3 }),
      sequences,
      (blocks, wanted) => {
        const events = [
          START,
          ...blocks.flatMap((pieces) => text(...pieces.filter((piece) => piece !== ''))),
          END,
        ]
        const whole = blocks.flat().join('')
        const cut = plainCut(whole, wanted)
        const { passed, stops } = run(events, wanted)
        const shown = passed.map((event) => (event.kind === 'block-delta' ? event.text : '')).join('')
        expect(shown).toBe(cut === undefined ? whole : whole.slice(0, cut))
        expect(stops).toBe(cut === undefined ? 0 : 1)
        expect(passed.at(-1)?.kind).toBe('reply-end')
      },
    ),
    runs(1_000),
  )
})

test('the pieces make no difference', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 10 })
  fc.assert(
    fc.property(
      fc.array(letters, { maxLength: 4 }),
      fc.array(letters, { maxLength: 2 }),
      (texts, sequences) => {
        const whole = run([START, ...texts.flatMap((one) => text(one)), END], sequences)
        const single = run([START, ...texts.flatMap((one) => text(...one)), END], sequences)
        expect(single.reply).toEqual(whole.reply)
      },
    ),
    runs(1_000),
  )
})

/** Random texts often have the beginning of one of these sequences, and never a whole one. */
const NEVER_WHOLE = ['水が引く', '\n\ndata: [DONE]\n\nevent: nothing']

test('a reply without the sequence keeps all its blocks', () => {
  fc.assert(
    fc.property(arbitraryEvents(), (events) => {
      const { reply } = run(events, NEVER_WHOLE)
      expect(reply).toEqual(summary(events))
    }),
    runs(300),
  )
})

/** The end of the text for a reader that tests every prefix of it, one character longer each time. */
function plainCut(whole: string, sequences: readonly string[]): number | undefined {
  for (let end = 1; end <= whole.length; end += 1) {
    const complete = sequences.filter((sequence) => whole.slice(0, end).endsWith(sequence))
    if (complete.length > 0) return end - Math.max(...complete.map(({ length }) => length))
  }
  return undefined
}
