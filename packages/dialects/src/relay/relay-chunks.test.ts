import { describe, expect, test } from 'vitest'
import * as messages from '../../../../test/fixtures/text/messages/fixture.ts'
import { JUDGES as MESSAGES_JUDGES } from '../../../../test/fixtures/text/messages/judge.ts'
import * as responses from '../../../../test/fixtures/text/responses/fixture.ts'
import { JUDGES as RESPONSES_JUDGES } from '../../../../test/fixtures/text/responses/judge.ts'
import { fc, runs } from '../../../../test/random/properties.ts'
import type { TextEndpoint } from '../dialect-facts.ts'
import { createStreamRelay } from './relay-stream.ts'

const FIXTURES = { messages, responses }

const CASES = [
  ...messages.WELL_ENDED.map((name) => ['messages', name] as const),
  ...responses.WELL_ENDED.map((name) => ['responses', name] as const),
]

/** Everything the client gets of a stream that comes in these pieces, and how it ended. */
function relayed(dialect: TextEndpoint, chunks: Iterable<Buffer>) {
  const relay = createStreamRelay({ dialect, model: 'ours/model', maxFrameBytes: 1_000_000 })
  const passed: Buffer[] = []
  for (const chunk of chunks) passed.push(Buffer.from(relay.push(chunk)))
  passed.push(relay.close())
  const { state, tokens, outputBytes } = relay
  return { text: Buffer.concat(passed).toString('utf8'), state, tokens, outputBytes }
}

function* cutEvery(bytes: Buffer, size: number): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const cuts = [0, ...places.map((place) => place % bytes.length).sort((a, b) => a - b), bytes.length]
  return cuts.slice(1).map((cut, index) => bytes.subarray(cuts[index], cut))
}

/** Events for a client: names and data, with the gateway's two edits undone. */
function eventsOf(sse: string): [name: string, data: unknown][] {
  return sse
    .replaceAll(/\r\n?/g, '\n')
    .split('\n\n')
    .filter((event) => event.includes('data:'))
    .map((event) => {
      const lines = event.split('\n')
      const data = JSON.parse(lines.find((line) => line.startsWith('data: '))?.slice(6) ?? '')
      for (const envelope of [data.message, data.response]) {
        if (typeof envelope !== 'object' || envelope === null) continue
        delete envelope.model
        delete envelope.output_text
      }
      return [lines.find((line) => line.startsWith('event: '))?.slice(7) ?? data.type, data]
    })
}

describe.each(CASES)('%s %s', (dialect, name) => {
  const sse = FIXTURES[dialect].readSse(name)
  const bytes = Buffer.from(sse)
  const whole = relayed(dialect, [bytes])

  test('the client gets the same events', () => {
    expect(whole.state).toBe('ended')
    expect(eventsOf(whole.text)).toEqual(eventsOf(sse))
    expect(whole.text).toContain('"model":"ours/model"')
    expect(whole.text).not.toContain('"model":"text-')
  })

  test('single bytes give the same result', () => {
    expect(relayed(dialect, cutEvery(bytes, 1))).toEqual(whole)
  })

  test('the same with CRLF and with CR, in pieces of any size', () => {
    for (const lineBreak of ['\r\n', '\r']) {
      const other = Buffer.from(sse.replaceAll('\n', lineBreak))
      const once = relayed(dialect, [other])
      expect(once).toMatchObject({ state: 'ended', tokens: whole.tokens })
      expect(eventsOf(once.text)).toEqual(eventsOf(sse))
      for (const size of [1, 2, 3, 7]) expect(relayed(dialect, cutEvery(other, size)).text).toBe(once.text)
    }
  })

  test('the same without event lines', () => {
    const bare = relayed(dialect, [Buffer.from(sse.replaceAll(/^event: .*\n/gm, ''))])
    expect(bare).toEqual(whole)
  })

  test('pieces of any size give the same result, and a missing end is a failure', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 12 }), fc.nat(), (places, end) => {
        expect(relayed(dialect, cutAt(bytes, places))).toEqual(whole)
        const rest = bytes.subarray(0, 1 + (end % (bytes.length - 4)))
        const broken = relayed(dialect, cutAt(rest, places))
        expect(broken.state).toBe('failed')
        expect(broken.text).toContain(dialect === 'messages' ? 'event: error\n' : 'event: response.failed\n')
      }),
      runs(60),
    )
  })
})

describe('official clients read what passed', () => {
  test.each(messages.WELL_ENDED)('messages %s', async (name) => {
    const sse = messages.readSse(name)
    const passed = relayed('messages', [Buffer.from(sse)]).text
    for (const judge of Object.values(MESSAGES_JUDGES)) {
      const theirs = await judge.stream(sse)
      expect(await judge.stream(passed)).toEqual({ ...Object(theirs), model: 'ours/model' })
    }
  })

  test.each(responses.WELL_ENDED)('responses %s', async (name) => {
    const sse = responses.readSse(name)
    const passed = relayed('responses', [Buffer.from(sse)]).text
    for (const judge of Object.values(RESPONSES_JUDGES)) {
      const theirs = await judge.stream(sse)
      expect(await judge.stream(passed)).toEqual({ ...Object(theirs), model: 'ours/model' })
    }
  })

  test('a cut stream is a failure for these clients', async () => {
    const message = messages.readSse('text')
    const response = responses.readSse('text')
    const half = (text: string) => Buffer.from(text.slice(0, text.length / 2))
    for (const judge of Object.values(MESSAGES_JUDGES))
      await expect(judge.stream(relayed('messages', [half(message)]).text)).rejects.toThrow()
    for (const judge of Object.values(RESPONSES_JUDGES)) {
      await expect(judge.events(relayed('responses', [half(response)]).text)).rejects.toThrow()
    }
  })
})
