import type { ReplyEvent } from '@sluice/dialects/canonical/reply-event'
import { CLIENT_DIALECTS, VENDOR_DIALECTS } from '@sluice/dialects/dialects'
import { createStreamRelay } from '@sluice/dialects/relay/relay-stream'
import { describe, expect, test } from 'vitest'
import { arbitraryEvents } from '../fixtures/text/arbitrary-events.ts'
import { checkGrammar, wireEvents } from '../fixtures/text/responses/check-grammar.ts'
import { makeHead } from '../fixtures/text/responses/fixture.ts'
import { fc, runs } from '../random/properties.ts'
import { checkMessagesGrammar } from './check-messages-grammar.ts'
import { arbitraryTravel, travel } from './cut-bytes.ts'
import { readBack } from './read-back.ts'

const NUM_RUNS = 10_000
const TIMEOUT = { timeout: 240_000 }
const CHECKS = {
  messages: checkMessagesGrammar,
  responses: (sse: string) => checkGrammar(wireEvents(sse)),
}

describe.each(['messages', 'responses'] as const)('the %s writer', (dialect) => {
  const { writeStream } = CLIENT_DIALECTS[dialect]
  const { readStream } = VENDOR_DIALECTS[dialect]
  const quiet = fc.array(fc.boolean(), { minLength: 1, maxLength: 7 })

  test(
    'keeps framing and grammar, is read back and relayed in any pieces, over random streams',
    TIMEOUT,
    () => {
      fc.assert(
        fc.property(arbitraryEvents(), quiet, arbitraryTravel, (events, silences, way) => {
          const sse = written(events.map(withPlainWords), silences)
          CHECKS[dialect](sse)
          const pieces = travel(sse, way)
          const { read, wasGrammatical } = readBack(readStream, pieces)
          expect(wasGrammatical).toBe(true)
          expect(read.at(-1)?.kind).toBe(events.at(-1)?.kind)
          expectSameBytes(pieces, events.at(-1)?.kind === 'reply-failed')
        }),
        runs(NUM_RUNS),
      )
    },
  )

  function expectSameBytes(pieces: readonly Buffer[], isFailed: boolean): void {
    const relay = createStreamRelay({ dialect, model: MODEL, maxFrameBytes: 1_000_000 })
    const passed: Buffer[] = []
    let hadBegun = false
    for (const piece of pieces) {
      hadBegun ||= relay.state === 'flowing'
      passed.push(relay.push(piece))
    }
    passed.push(relay.close())
    expect(relay.state).toBe(isFailed ? 'failed' : 'ended')
    // A failure before the first byte becomes an error status instead of a stream.
    if (isFailed && !hadBegun) return
    // A CR at the end may be half of a line end, which the relay completes.
    expect(
      Buffer.concat(passed).toString('latin1').trimEnd() ===
        Buffer.concat(pieces).toString('latin1').trimEnd(),
    ).toBe(true)
  }

  /** Writes the events as a stream, with keep-alive events between some of them. */
  function written(events: readonly ReplyEvent[], silences: readonly boolean[]): string {
    const writer = writeStream({ ...makeHead(), model: MODEL })
    let sse = ''
    events.forEach((event, place) => {
      sse += writer.write(event)
      const isUnderWay = event.kind !== 'reply-end' && event.kind !== 'reply-failed'
      if (isUnderWay && silences[place % silences.length] === true) sse += writer.keepAlive()
    })
    return sse
  }
})

const MODEL = 'vendorX/any'

/** A relay passes the vendor's error text on unchanged only if nothing in it has to be removed. */
function withPlainWords(event: ReplyEvent): ReplyEvent {
  return event.kind === 'reply-failed' ? { ...event, failure: { ...event.failure, message: 'No.' } } : event
}
