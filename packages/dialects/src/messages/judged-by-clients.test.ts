import { describe, expect, test } from 'vitest'
import {
  eventsOf,
  HEAD,
  ORIGIN,
  readSse,
  readWhole,
  WELL_ENDED,
} from '../../../../test/fixtures/text/messages/fixture.ts'
import { JUDGES } from '../../../../test/fixtures/text/messages/judge.ts'
import type { ReplyEvent } from '../canonical/reply-event.ts'
import { isJsonObject } from '../json/json-object.ts'
import { readMessagesReply } from './read-stream.ts'
import { writeMessagesReply, writeMessagesStream } from './write-stream.ts'

function writeSse(events: readonly ReplyEvent[]): string {
  const writer = writeMessagesStream(HEAD)
  return events.map((event) => writer.write(event) + writer.keepAlive()).join('')
}

/** Additions of an SDK are not under test. */
function plain(message: unknown): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(message))
  if (!isJsonObject(copy)) return copy
  const { _request_id, parsed_output, stop_details, ...rest } = copy
  return rest
}

describe.each(Object.entries(JUDGES))('%s', (_name, judge) => {
  test.each(WELL_ENDED)('reads the stream of %s as the whole reply', async (name) => {
    const events = eventsOf(readSse(name))
    const { body, losses } = writeMessagesReply(events, HEAD)
    expect([...losses]).toEqual(name === 'server-tool' ? ['citations'] : [])
    const final = await judge.stream(writeSse(events))
    expect(plain(final)).toEqual(plain(body))
    expect(plain(await judge.whole(body))).toEqual(plain(body))
  })

  test.each(WELL_ENDED)('finds in %s the content of the vendor', async (name) => {
    const vendor = plain(await judge.stream(readSse(name)))
    const ours = plain(await judge.stream(writeSse(readMessagesReply(readWhole(name), ORIGIN))))
    expect(textsOf(ours)).toEqual(textsOf(vendor))
    expect(ours).toMatchObject({ usage: isJsonObject(vendor) ? vendor.usage : undefined })
  })

  test.each(['error', 'cut'])('reports the failure of %s as a failure', async (name) => {
    await expect(judge.stream(writeSse(eventsOf(readSse(name))))).rejects.toThrow()
  })

  test('names the failure of a stream', async () => {
    await expect(judge.stream(writeSse(eventsOf(readSse('error'))))).rejects.toMatchObject({
      error: { error: { type: 'overloaded_error', message: 'Overloaded' } },
    })
  })
})

/** Texts and inputs, in their order. Omitted and redacted thinking both become an empty text. */
function textsOf(message: unknown): unknown[] {
  if (!isJsonObject(message) || !Array.isArray(message.content)) return []
  return message.content.map(
    (block: Record<string, unknown>) => block.text ?? block.input ?? block.thinking ?? '',
  )
}
