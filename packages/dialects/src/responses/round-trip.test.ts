import { expect, test } from 'vitest'
import { arbitraryEvents } from '../../../../test/fixtures/text/arbitrary-events.ts'
import { type FoldedBlock, foldBlocks } from '../../../../test/fixtures/text/fold-blocks.ts'
import {
  checkGrammar,
  type WireEvent,
  wireEvents,
} from '../../../../test/fixtures/text/responses/check-grammar.ts'
import { eventsOf, makeHead, ORIGIN } from '../../../../test/fixtures/text/responses/fixture.ts'
import { JUDGES } from '../../../../test/fixtures/text/responses/judge.ts'
import { fc, runs } from '../../../../test/random/properties.ts'
import type { ReplyEvent } from '../canonical/reply-event.ts'
import { readSeal, UNSEALED } from '../canonical/seal.ts'
import { FAILURE_CODES } from '../contract/error-envelope.ts'
import { readResponsesStream } from './read-stream.ts'
import { readReasoningProof } from './reasoning-proof.ts'
import { writeResponsesReply, writeResponsesStream } from './write-stream.ts'

test('any written stream has a valid order, and what this dialect can carry reads back', {
  timeout: 120_000,
}, () => {
  fc.assert(
    fc.property(arbitraryEvents(), (events) => {
      const sse = streamOf(events)
      checkGrammar(wireEvents(sse))
      const back = eventsOf(sse)
      const last = events.at(-1)
      if (last?.kind === 'reply-failed') {
        expect(back.at(-1)).toMatchObject({ kind: 'reply-failed' })
        return
      }
      expect(foldBlocks(back).map(withOwnSeal).filter(isWorthABlock)).toEqual(
        foldBlocks(events).flatMap(asItComesBack),
      )
      expect(back.at(-1)).toEqual(endAsItComesBack(last))
    }),
    runs(1_000),
  )
})

test('interleaved items are emitted in order, each complete', () => {
  const turns = fc.array(fc.nat({ max: 7 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(arbitraryEvents({ failures: false }), turns, (events, order) => {
      const written = wireEvents(streamOf(events))
      const back = readFrames(interleave(written, order))
      expect(foldBlocks(back)).toEqual(foldBlocks(readFrames(written)))
      expect(back.at(-1)).toMatchObject({ kind: 'reply-end' })
    }),
    runs(500),
  )
})

test('the last event is the whole reply', () => {
  fc.assert(
    fc.property(arbitraryEvents({ failures: false }), (events) => {
      const whole = writeResponsesReply(events, makeHead())
      expect(wireEvents(streamOf(events)).at(-1)?.response).toEqual(JSON.parse(JSON.stringify(whole.body)))
    }),
    runs(500),
  )
})

test.each(Object.entries(JUDGES))('%s reads any written stream', async (_name, judge) => {
  await fc.assert(
    fc.asyncProperty(arbitraryEvents({ failures: false }), async (events) => {
      const sse = streamOf(events)
      expect(await judge.stream(sse)).toMatchObject({
        output: [...outputOf(wireEvents(sse).at(-1)?.response)],
      })
    }),
    runs(150),
  )
})

test('a failure is an error event and a failed response, which end the stream', () => {
  fc.assert(
    fc.property(arbitraryEvents(), (events) => {
      const last = events.at(-1)
      fc.pre(last?.kind === 'reply-failed')
      if (last?.kind !== 'reply-failed') return
      const [error, failed] = wireEvents(streamOf(events)).slice(-2)
      const { type, code } = FAILURE_CODES[last.failure.kind]
      const { message } = last.failure
      expect(error).toMatchObject({ type: 'error', code, message, param: null })
      expect(error?.error).toEqual({ type, code, message, param: null })
      expect(failed).toMatchObject({
        type: 'response.failed',
        response: { status: 'failed', error: { code, message } },
      })
    }),
    runs(200),
  )
})

function streamOf(events: readonly ReplyEvent[]): string {
  const writer = writeResponsesStream(makeHead())
  return events.map((event) => writer.write(event)).join('')
}

/** Mixes the events of items. The items begin in their order; then each turn takes the next event of one item. */
function interleave(events: readonly WireEvent[], order: readonly number[]): WireEvent[] {
  const items: WireEvent[][] = []
  for (const event of events) {
    if (typeof event.output_index !== 'number') continue
    items[event.output_index] ??= []
    items[event.output_index]?.push(event)
  }
  const mixed: WireEvent[] = items.flatMap((own) => own.splice(0, 1))
  for (let turn = 0; items.some((own) => own.length > 0); turn += 1) {
    const waiting = items.filter((own) => own.length > 0)
    const next = waiting[(order[turn % order.length] ?? 0) % waiting.length]?.shift()
    if (next !== undefined) mixed.push(next)
  }
  return [...events.slice(0, 2), ...mixed, ...events.slice(-1)]
}

function readFrames(events: readonly WireEvent[]): ReplyEvent[] {
  const read: ReplyEvent[] = []
  const reader = readResponsesStream(ORIGIN, (event) => read.push(event))
  for (const event of events) reader.frame(event.type, JSON.stringify(event))
  reader.close()
  return read
}

function outputOf(response: unknown): object[] {
  return typeof response === 'object' &&
    response !== null &&
    'output' in response &&
    Array.isArray(response.output)
    ? response.output
    : []
}

/** Unwraps the seal, which the writer has wrapped. */
function withOwnSeal(block: FoldedBlock): FoldedBlock {
  const proof = block.seal === undefined ? undefined : readReasoningProof(block.seal.proof).encryptedContent
  return { ...block, seal: proof === undefined || proof === UNSEALED ? undefined : readSeal(proof) }
}

/** Parts of other dialects and empty reasoning are lost, and a call without arguments gets an empty object. */
function asItComesBack(block: FoldedBlock): unknown[] {
  const { head, text } = block
  if (head.kind === 'opaque') {
    return head.origin === 'responses'
      ? [{ ...block, head: { ...head, raw: expect.objectContaining(head.raw) } }]
      : []
  }
  if (!isWorthABlock(block)) return []
  if (head.kind === 'tool-call' && head.input === 'json' && text === '') return [{ ...block, text: '{}' }]
  return [block]
}

/** Reasoning without text and without a seal is lost. */
function isWorthABlock({ head, text, seal }: FoldedBlock): boolean {
  return head.kind !== 'reasoning' || text !== '' || seal !== undefined
}

/** This dialect cannot report a stop sequence. */
function endAsItComesBack(last: ReplyEvent | undefined): unknown {
  return last?.kind === 'reply-end' && last.reason.kind === 'stop-sequence'
    ? { ...last, reason: { kind: 'done' } }
    : last
}
