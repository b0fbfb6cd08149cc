import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { type BodyThreadsOptions, openBodyThreads } from '../../../src/adapters/threads/body-threads.ts'
import { createTimeBook } from '../../../src/app/waiting/time-book.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import { SILENT_LOG } from '../../engines/store/silent-log.ts'
import { SILENT_METRICS } from '../../silent-metrics.ts'

const NEVER = new AbortController().signal
const MESSAGE = { model: 'v/m', max_tokens: 5, messages: [{ role: 'user', content: 'hello' }] }
const ODD = new URL('./odd-thread.ts', import.meta.url)

function openThread(options: Partial<BodyThreadsOptions> = {}) {
  const thread = openBodyThreads({
    clock: systemClock,
    book: createTimeBook({ clock: systemClock }),
    secrets: createSecrets('a secret of the tests, long enough'),
    log: SILENT_LOG,
    metrics: SILENT_METRICS,
    ...options,
  })
  const read = (value: unknown, { holder = 'org_1', signal = NEVER } = {}) => {
    const bytes = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
    const job = { endpoint: 'messages', operation: 'create', allowedRanges: [] } as const
    return thread.run('read', bytes, job, { holder, signal })
  }
  /** Sends an order to the test's thread. */
  const tell = (order: string, holder = 'org_1') =>
    thread.run('digest', Buffer.from(order), {}, { holder, signal: NEVER })
  return { ...thread, read, tell }
}

function open(options: Partial<BodyThreadsOptions>) {
  const thread = openThread(options)
  onTestFinished(() => thread.close())
  return thread
}

describe('a heavy body', () => {
  const shared = openThread()
  afterAll(() => shared.close())

  test('is read, and its bytes come back', async () => {
    const end = await shared.read(MESSAGE)
    expect(end).toMatchObject({ result: { outline: { model: 'v/m', max_tokens: 5 }, itemReferences: [] } })
    expect(end.bytes.toString()).toBe(JSON.stringify(MESSAGE))
  })

  test.each([
    ['with a byte order mark', '\ufeff{}', 'body must be valid JSON'],
    ['half a value', '{"model":', 'body must be valid JSON'],
    ['nested too deep', '['.repeat(99), 'body must not be nested deeper than 64 levels'],
    ['of too many values', `[${'0,'.repeat(262_144)}0]`, 'body must not hold more than 262144 values'],
    ['no request', '{"model":"v/m"}', expect.stringContaining('required')],
    ['no object', '[]', expect.any(String)],
    ['of two models', '{"model":"a/b","model":"c/d","max_tokens":1,"messages":[]}', expect.any(String)],
  ])('%s is refused, and its bytes come back', async (_name, text, message) => {
    const end = await shared.read(text)
    expect(end).toMatchObject({ refused: { status: 400, message } })
    expect('refused' in end && end.refused).toBeInstanceOf(ApiError)
    const isNoJson = message === 'body must be valid JSON'
    const place = isNoJson ? expect.stringMatching(/^line 1, column \d+$/) : undefined
    expect(end).toMatchObject({ refused: { place } })
    expect(end.bytes.toString()).toBe(text)
  })

  test('that kills its thread is lost alone', async () => {
    const { tell } = open({ threadFile: ODD })
    const ends = await Promise.allSettled([tell('say a'), tell('die'), tell('say b'), tell('say c', 'org_2')])
    expect(ends).toMatchObject([
      { value: { result: 'a' } },
      { reason: { code: 'internal_error' } },
      { value: { result: 'b' } },
      { value: { result: 'c' } },
    ])
  })

  test('that takes all memory is too large, and lost alone', async () => {
    const { tell } = open({ threadFile: ODD, memoryMbMax: 48 })
    const ends = await Promise.allSettled([tell('eat'), tell('say a')])
    expect(ends).toMatchObject([{ reason: { code: 'body_too_large' } }, { value: { result: 'a' } }])
  })

  test('that takes too long is ended, and lost alone', async () => {
    const { tell } = open({ threadFile: ODD, jobMsMax: 5_000 })
    const ends = await Promise.allSettled([tell('hang'), tell('say a')])
    expect(ends).toMatchObject([{ reason: { code: 'overloaded' } }, { value: { result: 'a' } }])
  })

  test('of one organization runs alone: other organizations have threads meanwhile', async () => {
    const { tell } = open({ threadFile: ODD })
    const ended: string[] = []
    const order = (name: string, words: string) =>
      tell(words, name.slice(0, 1)).then(
        () => void ended.push(name),
        () => {},
      )
    void order('a1', 'hang')
    void order('a2', 'say a2')
    await Promise.all([order('b1', 'say b1'), order('c1', 'say c1'), order('b2', 'say b2')])
    expect(ended).toEqual(['b1', 'c1', 'b2'])
  })

  test('of a busy organization is followed by a pause of the same length, in which others have the threads', async () => {
    let nowMs = 1_000
    const clock = { monotonicMs: () => nowMs }
    const book = createTimeBook({ clock })
    const { tell } = open({ threadFile: ODD, clock, book })
    const ended: string[] = []
    const order = async (name: string) => {
      await tell(`say ${name}`, name.slice(0, 1))
      ended.push(name)
    }
    await order('a1')
    const first = order('a2')
    nowMs += 50
    book.add('b', 1)
    await first
    expect(book.usedMs('a')).toBe(50)
    const second = order('a3')
    await order('b1')
    nowMs += 49
    await order('b2')
    expect(ended).toEqual(['a1', 'a2', 'b1', 'b2'])
    nowMs += 1
    await second
    expect(ended).toEqual(['a1', 'a2', 'b1', 'b2', 'a3'])
  })

  test('is refused when the queue is full: 429 for one organization, 503 for all together', async () => {
    const { tell } = open({ threadFile: ODD, waitingEachMax: 2, waitingMax: 3 })
    const ends = await Promise.allSettled([
      ...['say a', 'say b', 'say c', 'say d'].map((order) => tell(order)),
      ...['say e', 'say f', 'say g'].map((order) => tell(order, 'org_2')),
    ])
    expect(ends).toMatchObject([
      { value: { result: 'a' } },
      { value: { result: 'b' } },
      { value: { result: 'c' } },
      { reason: { code: 'rate_limit_exceeded', retryAfterSeconds: 1 } },
      { value: { result: 'e' } },
      { value: { result: 'f' } },
      { reason: { code: 'overloaded', retryAfterSeconds: 1 } },
    ])
  })

  test('whose client is gone is not begun', async () => {
    const { read, tell } = open({ threadFile: ODD })
    const gone = new AbortController()
    const first = tell('say a')
    const second = read(MESSAGE, { signal: gone.signal })
    gone.abort()
    await expect(second).rejects.toMatchObject({ code: 'overloaded' })
    await expect(read(MESSAGE, { signal: gone.signal })).rejects.toMatchObject({ code: 'overloaded' })
    expect(await first).toMatchObject({ result: 'a' })
  })

  test('gets a new thread after the idle one has ended', async () => {
    const { tell } = open({ threadFile: ODD, idleMsMax: 1 })
    const first = await tell('thread')
    await expect.poll(async () => (await tell('thread')) !== first).toBe(true)
    expect(await tell('say a')).toMatchObject({ result: 'a' })
  })

  test('is refused once the thread is closed', async () => {
    const { tell, close } = open({ threadFile: ODD })
    const waiting = [tell('hang'), tell('say a')]
    const ends = Promise.allSettled(waiting)
    await close()
    expect(await ends).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
    await expect(tell('say b')).rejects.toMatchObject({ code: 'overloaded' })
  })
})
