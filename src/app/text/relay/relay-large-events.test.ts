import { shrinkFrame } from '@sluice/dialects/body/frame-jobs'
import type { ReplyTokens } from '@sluice/dialects/canonical/reply-event'
import { LIGHT_VALUES_MAX } from '@sluice/dialects/json/parse-json'
import { writeResponsesStream } from '@sluice/dialects/responses/write-stream'
import { describe, expect, test } from 'vitest'
import { makeHead } from '../../../../test/fixtures/text/responses/fixture.ts'
import { relayEvents } from './relay-events.ts'

const TOKENS: ReplyTokens = { input: 7, cachedInput: 0, cacheWrite: 0, output: 3, reasoning: 0 }

/** A dialect whose frames are canonical events, and a client that receives only their kinds. */
function openRelay(threadDies = false) {
  const relay = relayEvents({
    ...{ stopSequences: [], countInput: () => 50, hidesInput: () => false, onItems: undefined },
    shrinkFrame: async (data) =>
      threadDies ? Promise.reject(new Error('out of memory')) : shrinkFrame(data, {}),
    readStream: (emit) => ({ frame: (_name, data) => emit(JSON.parse(data)), close() {} }),
    writer: {
      write: (event) => `<${event.kind === 'block-delta' ? event.text : event.kind}>`,
      keepAlive: () => '',
      losses: new Set(),
    },
  })
  return { relay }
}

describe('a large event', () => {
  const LARGE = 'x'.repeat(600_000)
  /** More text than any model writes in one reply. */
  const HUGE = 'x'.repeat(5_000_000)
  const frame = (event: object, name = 'e') =>
    Buffer.from(`event: ${name}\ndata: ${JSON.stringify(event)}\n\n`)
  const START = frame({ kind: 'reply-start', tokens: undefined })
  const END = frame({ kind: 'reply-end', reason: { kind: 'done' }, tokens: TOKENS })

  test('is read without unneeded members, and later events wait for it', async () => {
    const { relay } = openRelay()
    relay.push(START)
    const block = frame({ kind: 'block-start', block: { kind: 'text' }, image: LARGE })
    expect(relay.push(Buffer.concat([block, frame({ kind: 'block-delta', text: 'hi' })]))).toBe('')
    expect(relay.push(frame({ kind: 'block-end' }))).toBe('')
    await relay.reading
    expect(relay.readOn?.()).toBe('<block-start><hi><block-end>')
    relay.push(END)
    expect(relay.state).toBe('ended')
  })

  test('with the text of a whole reply passes', async () => {
    const { relay } = openRelay()
    relay.push(START)
    relay.push(frame({ kind: 'block-start', block: { kind: 'text' } }))
    relay.push(frame({ kind: 'block-delta', text: LARGE }))
    await relay.reading
    expect(relay.readOn?.()).toBe(`<${LARGE}>`)
    expect(relay).toMatchObject({ state: 'flowing', outputBytes: 600_000 })
  })

  test('with many values is read on a thread too, even if it is short', async () => {
    const { relay } = openRelay()
    relay.push(START)
    const many = { kind: 'block-start', block: { kind: 'text' }, more: Array(LIGHT_VALUES_MAX).fill(1) }
    expect(relay.push(frame(many))).toBe('')
    await relay.reading
    expect(relay.readOn?.()).toBe('<block-start>')
  })

  test('that has too many values even after shrinking ends the stream', async () => {
    const { relay } = openRelay()
    relay.push(START)
    const members = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`k${at}`, at]))
    relay.push(frame({ kind: 'block-start', block: { kind: 'text' }, members }))
    await relay.reading
    expect(relay.readOn?.()).toBe('')
    expect(relay).toMatchObject({ awaitsCount: true, endedEarly: true })
    relay.close()
    relay.endWait?.()
    expect(relay).toMatchObject({ state: 'failed', failure: { kind: 'too-large' } })
  })

  test('whose text is too long ends the stream', async () => {
    const { relay } = openRelay()
    relay.push(START)
    relay.push(frame({ kind: 'block-start', block: { kind: 'text' }, text: HUGE }))
    await relay.reading
    relay.readOn?.()
    expect(relay).toMatchObject({ awaitsCount: true, endedEarly: true, outputBytes: 5_000_000 })
    relay.endWait?.()
    expect(relay).toMatchObject({ state: 'failed', failure: { kind: 'too-large' } })
  })

  test('whose text is too long is charged by the count of its vendor', async () => {
    const { relay } = openRelay()
    relay.push(START)
    relay.push(frame({ kind: 'block-start', block: { kind: 'text' }, text: HUGE }))
    await relay.reading
    relay.readOn?.()
    expect(relay.push(Buffer.concat([frame({ kind: 'block-end' }), END]))).toBe('<reply-failed>')
    expect(relay).toMatchObject({ state: 'failed', endedEarly: false, isAllCounted: true, tokens: TOKENS })
  })

  test('that no thread could read is charged by its length; an event that is not JSON breaks the reply', async () => {
    for (const [data, outputBytes, kind] of [
      [`{"kind":"${LARGE}"}`, 600_011, 'too-large'],
      [LARGE, 0, 'broken'],
    ] as const) {
      const { relay } = openRelay(kind === 'too-large')
      relay.push(START)
      relay.push(Buffer.from(`data: ${data}\n\n`))
      await relay.reading
      relay.readOn?.()
      relay.endWait?.()
      expect(relay).toMatchObject({ state: 'failed', outputBytes, failure: { kind } })
    }
  })

  test('that repeats earlier text passes; an event with further text ends the stream', async () => {
    const envelope = { response: { output: [{ content: [{ text: HUGE }] }] } }
    for (const before of [HUGE, '']) {
      const { relay } = openRelay()
      relay.push(START)
      relay.push(frame({ kind: 'block-start', block: { kind: 'text' } }))
      for (let at = 0; at < before.length; at += 200_000)
        relay.push(frame({ kind: 'block-delta', text: before.slice(at, at + 200_000) }))
      relay.push(frame({ kind: 'block-end' }))
      relay.push(frame({ kind: 'reply-end', reason: { kind: 'done' }, tokens: TOKENS, ...envelope }))
      relay.close()
      await relay.reading
      relay.readOn?.()
      expect(relay.state).toBe(before === '' ? 'failed' : 'ended')
    }
  })
})

test('a writer that buffers its text ends the stream at its limit', () => {
  const relay = relayEvents({
    ...{ stopSequences: [], countInput: () => 50, hidesInput: () => false, onItems: undefined },
    shrinkFrame: async () => undefined,
    readStream: (emit) => ({ frame: (_name, data) => emit(JSON.parse(data)), close() {} }),
    writer: writeResponsesStream(makeHead()),
  })
  const push = (event: object) => relay.push(Buffer.from(`data: ${JSON.stringify(event)}\n\n`))
  push({ kind: 'reply-start', tokens: undefined })
  push({ kind: 'block-start', block: { kind: 'text' } })
  const words = { kind: 'block-delta', text: 'x'.repeat(256 * 1024) }
  for (let count = 0; count < 7; count += 1) push(words)
  expect(relay.state).toBe('flowing')
  const last = push(words)
  expect(last).toContain('event: response.failed')
  expect(relay).toMatchObject({ state: 'failed', endedEarly: true, outputBytes: 8 * 256 * 1024 })
  expect(push(words)).toBe('')
})
