import { shrinkFrame } from '@sluice/dialects/body/frame-jobs'
import type { ReplyEvent, ReplyTokens } from '@sluice/dialects/canonical/reply-event'
import { describe, expect, test } from 'vitest'
import { relayEvents } from './relay-events.ts'

const TOKENS: ReplyTokens = { input: 7, cachedInput: 0, cacheWrite: 0, output: 3, reasoning: 0 }

/** A dialect whose frames are events, a count or a finish, and a client that gets kinds and texts. */
function openRelay(
  stopSequences: readonly string[] = [],
  more: { thinks?: 'yes' | 'no' | 'unknown'; hidesInput?: boolean } = {},
) {
  const kept: (readonly object[])[] = []
  let counted: ReplyTokens | undefined
  let hasFinished = false
  const relay = relayEvents({
    stopSequences,
    countInput: () => 50,
    thinks: more.thinks ?? 'no',
    hidesInput: () => more.hidesInput ?? false,
    onItems: (items) => kept.push(items),
    shrinkFrame: async (data) => shrinkFrame(data, {}),
    readStream: (emit) => ({
      frame(name, data) {
        if (name === 'count') counted = JSON.parse(data)
        else if (name === 'finish') hasFinished = true
        else emit(JSON.parse(data))
      },
      get tokens() {
        return counted
      },
      get hasFinished() {
        return hasFinished
      },
      close: () => emit({ kind: 'reply-failed', failure: { kind: 'broken', message: 'It broke off.' } }),
    }),
    writer: {
      write: (event) => `<${event.kind === 'block-delta' ? event.text : event.kind}>`,
      keepAlive: () => '<alive>',
      losses: new Set(['citations']),
      items: [{ id: 'msg_1' }],
    },
  })
  const push = (...events: ReplyEvent[]) =>
    relay.push(Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')))
  const count = (tokens: ReplyTokens) =>
    relay.push(Buffer.from(`event: count\ndata: ${JSON.stringify(tokens)}\n\n`))
  const finish = () => relay.push(Buffer.from('event: finish\ndata: {}\n\n'))
  return { relay, push, count, finish, kept }
}

const START: ReplyEvent = { kind: 'reply-start', tokens: { ...TOKENS, output: 1 } }
const TEXT: ReplyEvent = { kind: 'block-start', block: { kind: 'text' } }
const words = (text: string): ReplyEvent => ({ kind: 'block-delta', text })
const CLOSE: ReplyEvent = { kind: 'block-end' }
const END: ReplyEvent = { kind: 'reply-end', reason: { kind: 'done' }, tokens: TOKENS }

test('the client gets nothing until the reply begins', () => {
  const { relay } = openRelay()
  expect(relay.push(Buffer.from(': a comment\n\n'))).toBe('')
  expect(relay).toMatchObject({ state: 'waiting', tokens: undefined })
})

test('a relay passes events, counts their bytes, and ends with usage and items', () => {
  const { relay, push, kept } = openRelay()
  expect(push(START, TEXT, words('né'))).toBe('<reply-start><block-start><né>')
  expect(relay).toMatchObject({ state: 'flowing', outputBytes: 3, tokens: { input: 7, output: 1 } })
  expect(kept).toEqual([])
  expect(push(words('水'), CLOSE, END)).toBe('<水><block-end><reply-end>')
  expect(relay).toMatchObject({ state: 'ended', outputBytes: 6, tokens: TOKENS, endedEarly: false })
  expect([...relay.losses]).toEqual(['citations'])
  expect(kept).toEqual([[{ id: 'msg_1' }]])
})

test('an end without usage keeps the usage of the start', () => {
  const { relay, push } = openRelay()
  push(START, { kind: 'reply-end', reason: { kind: 'done' }, tokens: undefined })
  expect(relay.tokens).toMatchObject({ input: 7, output: 1 })
})

test('nothing passes after the end of the reply', () => {
  const { relay, push, kept } = openRelay()
  push(START, END)
  expect(push(START, TEXT, END)).toBe('')
  expect(relay.close()).toBe('')
  expect(relay.fail({ kind: 'draining', message: 'Late.' })).toBe('')
  expect(relay).toMatchObject({ state: 'ended', failure: undefined })
  expect(kept).toHaveLength(1)
})

describe('a relay fails', () => {
  test.each<[string, (opened: ReturnType<typeof openRelay>) => string | Uint8Array, string]>([
    ['when its vendor closes without an end', ({ relay }) => relay.close(), 'broken'],
    [
      'when the gateway ends it early',
      ({ relay }) => relay.fail({ kind: 'draining', message: 'We leave.' }),
      'draining',
    ],
    ['when its vendor breaks the grammar', ({ push }) => push(words('!')), 'broken'],
    [
      'when its vendor reports a failure',
      ({ push }) => push({ kind: 'reply-failed', failure: { kind: 'busy', message: 'Later.' } }),
      'busy',
    ],
  ])('%s', (_, fail, kind) => {
    const opened = openRelay()
    opened.push(START, TEXT, words('a'), CLOSE)
    expect(fail(opened)).toBe('<reply-failed>')
    expect(opened.relay).toMatchObject({ state: 'failed', failure: { kind }, outputBytes: 1 })
    expect(opened.kept).toEqual([])
  })

  test('when an event is too large, and asks to stop the vendor', () => {
    const { relay, push } = openRelay()
    push(START)
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    let written: string | Uint8Array = ''
    for (let chunks = 0; chunks < 20 && relay.state === 'flowing'; chunks++) written = relay.push(chunk)
    expect(written).toBe('<reply-failed>')
    expect(relay).toMatchObject({ state: 'failed', endedEarly: true })
  })
})

test('a stop sequence ends the reply early, and asks to stop the vendor', () => {
  const { relay, push, kept } = openRelay(['STOP'])
  expect(push(START, TEXT, words('go ST'), words('OP on'))).toBe(
    '<reply-start><block-start><go ><block-end><reply-end>',
  )
  expect(relay).toMatchObject({ state: 'ended', endedEarly: true, outputBytes: 3 })
  expect(kept).toHaveLength(1)
})

describe('a stop sequence in a reply with hidden cost', () => {
  const STARTED: ReplyEvent = { kind: 'reply-start', tokens: undefined }
  const THOUGHT: ReplyEvent[] = [{ kind: 'block-start', block: { kind: 'reasoning' } }, CLOSE]
  const openStopped = (...[more, ...before]: [Parameters<typeof openRelay>[1], ...ReplyEvent[]]) => {
    const opened = openRelay(['STOP'], more)
    const written = opened.push(STARTED, ...before, TEXT, words('go STOP on'))
    expect(String(written)).toMatch(/<go ><block-end>$/)
    expect(opened.relay).toMatchObject({ state: 'flowing', awaitsCount: true })
    return opened
  }
  const CELLS: [string, Parameters<typeof openStopped>][] = [
    ['it has reasoned', [{}, ...THOUGHT]],
    ['it reasons unseen', [{ thinks: 'yes' }]],
    ['it may reason unseen', [{ thinks: 'unknown' }]],
    ['only its vendor knows the input', [{ hidesInput: true }]],
  ]

  test.each(CELLS)('waits for the count if %s', (_name, args) => {
    const { relay, push } = openStopped(...args)
    expect(push(words('on and on'), CLOSE)).toBe('')
    expect(push({ ...END, tokens: { ...TOKENS, output: 900 } })).toBe('<reply-end>')
    expect(relay).toMatchObject({
      ...{ state: 'ended', endedEarly: false, awaitsCount: false, outputBytes: 3 },
      tokens: { input: 7, output: 900 },
    })
  })

  test('ends without a count when the wait ends or the vendor breaks off', () => {
    for (const end of ['endWait', 'close'] as const) {
      const { relay } = openStopped({}, ...THOUGHT)
      expect(relay[end]?.()).toBe('<reply-end>')
      expect(relay).toMatchObject({ state: 'ended', endedEarly: true, tokens: { input: 50, output: 1 } })
    }
  })

  test('ends immediately if its vendor has counted everything', () => {
    const { relay, push, count } = openRelay(['STOP'], { thinks: 'yes', hidesInput: true })
    push(STARTED, TEXT, words('go '))
    count(TOKENS)
    expect(push(words('STOP'))).toBe('<block-end><reply-end>')
    expect(relay).toMatchObject({ state: 'ended', endedEarly: true, tokens: TOKENS })
  })
})

describe('a count that comes before the end', () => {
  const NO_COUNT: ReplyEvent = { kind: 'reply-start', tokens: undefined }

  test('is known immediately, and a later count replaces it', () => {
    const { relay, push, count } = openRelay()
    push(NO_COUNT, TEXT, words('a'))
    expect(relay.tokens).toBeUndefined()
    count({ ...TOKENS, output: 2 })
    expect(relay.tokens).toEqual({ ...TOKENS, output: 2 })
    push(words('b'))
    count(TOKENS)
    expect(relay.tokens).toEqual(TOKENS)
  })

  test('replaces the usage of the start', () => {
    const { relay, push, count } = openRelay()
    push(START, TEXT, words('a'))
    count({ ...TOKENS, input: 8 })
    expect(relay.tokens).toEqual({ ...TOKENS, input: 8 })
  })

  test.each<[string, (opened: ReturnType<typeof openRelay>) => unknown]>([
    ['its vendor closes', ({ relay }) => relay.close()],
    ['the gateway ends it', ({ relay }) => relay.fail({ kind: 'draining', message: 'We leave.' })],
    ['its vendor breaks the grammar', ({ push }) => push(START)],
  ])('is kept when %s', (_, fail) => {
    const opened = openRelay()
    opened.push(NO_COUNT, TEXT, words('a'))
    opened.count(TOKENS)
    fail(opened)
    expect(opened.relay).toMatchObject({ state: 'failed', tokens: TOKENS, isAllCounted: true })
  })

  test('covers the output before it, and not the output after it', () => {
    const { relay, push, count } = openRelay()
    push(NO_COUNT, TEXT, words('a'))
    expect(relay.isAllCounted).toBe(false)
    count(TOKENS)
    expect(relay.isAllCounted).toBe(true)
    push(words('b'))
    expect(relay.isAllCounted).toBe(false)
    count({ ...TOKENS, output: 4 })
    expect(relay.isAllCounted).toBe(true)
  })

  test('is complete when the vendor has finished and the count covers all output', () => {
    const { relay, push, count, finish } = openRelay()
    push(NO_COUNT, TEXT, words('a'))
    count({ ...TOKENS, output: 2 })
    expect(relay.isCounted).toBe(false)
    push(words('b'), CLOSE)
    finish()
    expect(relay.isCounted).toBe(false)
    count(TOKENS)
    expect(relay.isCounted).toBe(true)
  })

  test('that repeats the count before it covers no new output', () => {
    const { relay, push, count } = openRelay()
    push(NO_COUNT)
    count({ ...TOKENS, output: 1 })
    push(TEXT, words('a'))
    count({ ...TOKENS, output: 1 })
    expect(relay.isAllCounted).toBe(false)
  })

  test('that goes down cannot cover all output, and no later count can', () => {
    const { relay, push, count } = openRelay()
    push(NO_COUNT, TEXT, words('a'))
    count({ ...TOKENS, output: 800 })
    push(words('b'))
    count({ ...TOKENS, output: 1 })
    expect(relay.isAllCounted).toBe(false)
    push(words('c'))
    count({ ...TOKENS, output: 900 })
    expect(relay.isAllCounted).toBe(false)
  })

  test('is replaced by a larger count of the gateway when the reply ends well without a higher count of its vendor', () => {
    const { relay, push, count } = openRelay()
    push(NO_COUNT, TEXT)
    count({ ...TOKENS, output: 1 })
    push(words('12345678'), CLOSE, { ...END, tokens: { ...TOKENS, output: 1 } })
    expect(relay).toMatchObject({ state: 'ended', tokens: { ...TOKENS, output: 2 } })
  })

  test('is replaced by the final count', () => {
    const { relay, push, count } = openRelay()
    push(NO_COUNT)
    count({ ...TOKENS, output: 1 })
    push(END)
    expect(relay.tokens).toEqual(TOKENS)
  })

  test('is replaced by a larger count of the gateway when a stop sequence ends the reply', () => {
    const { relay, push, count } = openRelay(['STOP'])
    push(NO_COUNT, TEXT)
    count({ ...TOKENS, output: 1 })
    push(words('12345678STOP'))
    expect(relay.tokens).toEqual({ ...TOKENS, output: 2 })
    count({ ...TOKENS, output: 9 })
    expect(relay.tokens).toEqual({ ...TOKENS, output: 2 })
  })
})

test('a keep-alive event has the dialect of the client', () => {
  expect(openRelay().relay.keepAlive()).toBe('<alive>')
})
