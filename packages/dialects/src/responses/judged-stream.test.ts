import { describe, expect, test } from 'vitest'
import { checkGrammar, wireEvents } from '../../../../test/fixtures/text/responses/check-grammar.ts'
import { eventsOf, makeHead, readSse, WELL_ENDED } from '../../../../test/fixtures/text/responses/fixture.ts'
import { JUDGES } from '../../../../test/fixtures/text/responses/judge.ts'
import type { ReplyEvent } from '../canonical/reply-event.ts'
import { writeResponsesReply, writeResponsesStream } from './write-stream.ts'

function streamOf(events: readonly ReplyEvent[]): string {
  const writer = writeResponsesStream(makeHead())
  return events.map((event) => writer.write(event)).join('')
}

describe.each(WELL_ENDED)('%s', (name) => {
  const events = eventsOf(readSse(name))
  const sse = streamOf(events)
  const whole = writeResponsesReply(events, makeHead()).body

  test('has its events in an order that every client accepts', () => {
    expect(() => checkGrammar(wireEvents(sse))).not.toThrow()
  })

  test('ends with the whole reply', () => {
    expect(wireEvents(sse).at(-1)?.response).toEqual(JSON.parse(JSON.stringify(whole)))
  })

  test.each(Object.entries(JUDGES))(
    '%s puts the stream together as the whole reply',
    async (_name, judge) => {
      expect(await judge.stream(sse)).toMatchObject(asObject(await judge.whole(whole)))
      expect(await judge.events(sse)).toEqual(wireEvents(sse))
    },
  )
})

describe.each(Object.entries(JUDGES))('%s', (_name, judge) => {
  test('reports a failure as a failure', async () => {
    const sse = streamOf(eventsOf(readSse('error')))
    await expect(judge.stream(sse)).rejects.toThrow('had an error while processing')
    await expect(judge.events(sse)).rejects.toThrow('had an error while processing')
  })

  test('accepts repeated beginnings and comments', async () => {
    const writer = writeResponsesStream(makeHead())
    const sse = eventsOf(readSse('text'))
      .map((event) => writer.keepAlive() + writer.write(event))
      .join('')
    checkGrammar(wireEvents(sse))
    expect(await judge.stream(sse)).toMatchObject({ status: 'completed', output_text: 'Hello, world.' })
  })
})

/** Members that the streamed reply must have; helpers of an SDK may add parsed ones. */
function asObject(response: unknown): object {
  return typeof response === 'object' && response !== null ? { ...response } : {}
}
