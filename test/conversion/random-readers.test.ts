import type { ToolNames } from '@sluice/dialects/canonical/codec'
import type { ReplyEvent } from '@sluice/dialects/canonical/reply-event'
import type { Dialect } from '@sluice/dialects/dialect-facts'
import { CLIENT_DIALECTS, VENDOR_DIALECTS } from '@sluice/dialects/dialects'
import { describe, expect, test } from 'vitest'
import { arbitraryEvents, type EventsOptions } from '../fixtures/text/arbitrary-events.ts'
import { sseOf } from '../fixtures/text/chat/fixture.ts'
import { chunkOf, spellChunks } from '../fixtures/text/chat/spell-chunks.ts'
import { makeHead } from '../fixtures/text/responses/fixture.ts'
import { fc, runs } from '../random/properties.ts'
import { arbitraryTravel, cutBytes, travel } from './cut-bytes.ts'
import { readBack, saidIn } from './read-back.ts'

const NUM_RUNS = 10_000
const DAMAGED_RUNS = 2_000
const arbitraryTurns = fc.array(fc.nat({ max: 7 }), { minLength: 1, maxLength: 8 })
const TIMEOUT = { timeout: 240_000 }

/** Blocks that every dialect has, with tool inputs that every dialect can carry. */
const SHARED: EventsOptions = {
  failures: false,
  blocks: ['text', 'text', 'reasoning', 'tool-call'],
  customTools: false,
  namespaces: false,
}

test('the chat reader reads random streams in pieces of any size', TIMEOUT, () => {
  fc.assert(
    fc.property(arbitraryEvents(SHARED), arbitraryTurns, arbitraryTravel, (events, turns, way) => {
      const { sse, toolNames } = spell('chat', events, turns)
      const { read, wasGrammatical } = readBack(VENDOR_DIALECTS.chat.readStream, travel(sse, way), toolNames)
      expect(wasGrammatical).toBe(true)
      expect(read.at(-1)?.kind).toBe('reply-end')
      expect(saidIn(read)).toBe(saidIn(events))
    }),
    runs(NUM_RUNS),
  )
})

describe.each(['messages', 'responses', 'chat'] as const)('the %s reader', (dialect) => {
  const { readStream } = VENDOR_DIALECTS[dialect]

  const damage = fc.record({
    place: fc.nat(),
    kind: fc.constantFrom('cut', 'drop', 'repeat', 'flip'),
    length: fc.integer({ min: 1, max: 200 }),
  })

  test('ends a damaged stream exactly once, over random streams', TIMEOUT, () => {
    fc.assert(
      fc.property(arbitraryEvents(SHARED), damage, arbitraryTravel, (events, harm, { sizes }) => {
        const { sse, toolNames } = spell(dialect, events, [0])
        const damaged = damagedBy(harm, Buffer.from(sse))
        const { guarded } = readBack(readStream, cutBytes(damaged, sizes), toolNames)
        const ends = guarded.filter(({ kind }) => kind === 'reply-end' || kind === 'reply-failed')
        expect(ends).toHaveLength(1)
        expect(guarded.at(-1)).toBe(ends[0])
      }),
      runs(DAMAGED_RUNS),
    )
  })
})

/** A reply as a vendor of this dialect streams it. */
function spell(
  dialect: Dialect,
  events: readonly ReplyEvent[],
  turns: readonly number[],
): { sse: string; toolNames: ToolNames } {
  if (dialect === 'chat') {
    const { chunks, toolNames } = spellChunks(events, turns)
    return { sse: sseOf([...chunks, chunkOf({}, 'stop'), '[DONE]']).toString(), toolNames }
  }
  const writer = CLIENT_DIALECTS[dialect].writeStream(makeHead())
  return { sse: events.map((event) => writer.write(event)).join(''), toolNames: new Map() }
}

function damagedBy(
  { place, kind, length }: { place: number; kind: string; length: number },
  bytes: Buffer,
): Buffer {
  const start = place % bytes.length
  const end = Math.min(start + length, bytes.length)
  if (kind === 'cut') return bytes.subarray(0, start)
  if (kind === 'drop') return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])
  if (kind === 'repeat') return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)])
  const flipped = Buffer.from(bytes)
  flipped[start] = (flipped[start] ?? 0) ^ 0x15
  return flipped
}
