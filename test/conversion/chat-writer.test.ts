import type { ReplyEvent } from '@sluice/dialects/canonical/reply-event'
import { CLIENT_DIALECTS } from '@sluice/dialects/dialects'
import type { JsonObject } from '@sluice/dialects/json/json-object'
import { createStreamRelay } from '@sluice/dialects/relay/relay-stream'
import { objectsIn, textOf } from '@sluice/dialects/values/values'
import { describe, expect, test } from 'vitest'
import { arbitraryEvents } from '../fixtures/text/arbitrary-events.ts'
import { makeHead } from '../fixtures/text/responses/fixture.ts'
import { fc, runs } from '../random/properties.ts'
import { arbitraryTravel, travel } from './cut-bytes.ts'

const MODEL = 'vendorX/any'
const { writeStream, writeReply } = CLIENT_DIALECTS.chat

function headOf(streamsUsage: boolean) {
  const head = makeHead()
  return { ...head, model: MODEL, request: { ...head.request, reasoning: undefined, streamsUsage } }
}

function streamOf(events: readonly ReplyEvent[], streamsUsage: boolean): string {
  const writer = writeStream(headOf(streamsUsage))
  return events.map((event) => writer.write(event)).join('')
}

function chunksOf(sse: string): JsonObject[] {
  const frames = sse.split('\n\n').filter((frame) => frame !== '')
  expect(frames.pop()).toBe('data: [DONE]')
  return frames.map((frame) => JSON.parse(frame.replace(/^data: /, '')))
}

/** The message that a client puts together from the chunks. */
function foldChunks(chunks: readonly JsonObject[]): JsonObject {
  const message: Record<string, unknown> = { role: 'assistant', content: null, refusal: null }
  const calls: Record<string, unknown>[] = []
  let finish: unknown = null
  for (const chunk of chunks) {
    for (const { delta, finish_reason: reason } of objectsIn(chunk.choices)) {
      finish = reason ?? finish
      const { content, refusal, reasoning_content: thought, reasoning_details: details } = Object(delta)
      if (textOf(content) !== '') message.content = textOf(message.content) + content
      if (textOf(refusal) !== '') message.refusal = textOf(message.refusal) + refusal
      if (textOf(thought) !== '') message.reasoning_content = textOf(message.reasoning_content) + thought
      if (details !== undefined) message.reasoning_details = details
      for (const { index, id, type, function: called, custom } of objectsIn(Object(delta).tool_calls)) {
        if (id !== undefined)
          calls.push(type === 'custom' ? { id, type, custom } : { id, type, function: called })
        else if (custom !== undefined)
          Object(calls[Number(index)]?.custom).input += textOf(Object(custom).input)
        else Object(calls[Number(index)]?.function).arguments += textOf(Object(called).arguments)
      }
    }
  }
  if (calls.length > 0) message.tool_calls = calls
  return { message, finish }
}

describe('the chat writer, over random streams', () => {
  test('a whole reply is the fold of its stream; the usage comes last, and only when it is asked for', () => {
    fc.assert(
      fc.property(arbitraryEvents(), fc.boolean(), (events, streamsUsage) => {
        if (events.at(-1)?.kind !== 'reply-end') return
        const chunks = chunksOf(streamOf(events, streamsUsage))
        const counted = chunks.filter(({ usage }) => usage !== undefined && usage !== null)
        expect(counted.length).toBe(streamsUsage ? 1 : 0)
        if (streamsUsage)
          expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } })
        const { body } = writeReply(events, headOf(streamsUsage))
        const [choice] = objectsIn(Object(body).choices)
        const { message, finish } = foldChunks(chunks)
        expect(message).toEqual(choice?.message)
        expect(finish).toBe(choice?.finish_reason)
      }),
      runs(2_000),
    )
  })

  test('passes a relay unchanged in pieces of any size, and a failure stays a failure', () => {
    fc.assert(
      fc.property(arbitraryEvents(), arbitraryTravel, (events, way) => {
        const said = events.map(withPlainWords)
        const isFailed = said.at(-1)?.kind === 'reply-failed'
        const pieces = travel(streamOf(said, true), way)
        const request = { stream_options: { include_usage: true } }
        const relay = createStreamRelay({ dialect: 'chat', model: MODEL, request, maxFrameBytes: 1_000_000 })
        let hadBegun = false
        const passed = pieces.map((piece) => {
          hadBegun ||= relay.state === 'flowing'
          return relay.push(piece)
        })
        passed.push(relay.close())
        expect(relay.state).toBe(isFailed ? 'failed' : 'ended')
        if (isFailed && !hadBegun) return
        expect(Buffer.concat(passed).toString('latin1').trimEnd()).toBe(
          Buffer.concat(pieces).toString('latin1').trimEnd(),
        )
      }),
      runs(2_000),
    )
  })
})

function withPlainWords(event: ReplyEvent): ReplyEvent {
  return event.kind === 'reply-failed' ? { ...event, failure: { ...event.failure, message: 'No.' } } : event
}
