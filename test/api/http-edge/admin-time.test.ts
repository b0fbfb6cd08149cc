import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { OPERATIONS } from '../../../src/http/routes.ts'
import { expectError } from './answer.ts'
import { ADMIN_KEY, memoryApp } from './memory-app.ts'
import { openRaw } from './raw-connection.ts'
import { startEdge } from './start-edge.ts'

const ROUTES = OPERATIONS.filter(({ path }) => path.startsWith('/admin/quota/'))
const BODY = '{"organization_id":"org_1","user_id":"usr_1","model_id":1}'

/** The 30 s of the contract pass on command of a test; network traffic takes real time. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

async function begin(path = ROUTES[0]?.path) {
  const sync = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  let syncs = 0
  const run = () => {
    syncs += 1
    began.resolve()
    return sync.promise
  }
  const edge = await startEdge({
    app: memoryApp({ quotaSync: { organization: run, user: run, modelPrice: run } }),
  })
  const connection = openRaw(edge.port)
  onTestFinished(async () => {
    connection.socket.destroy()
    await edge.close()
  })
  const head = `Host: x\r\nX-Admin-Key: ${ADMIN_KEY}\r\nExpect: 100-continue\r\nContent-Length: ${BODY.length}`
  connection.write(`POST ${path} HTTP/1.1\r\n${head}\r\n\r\n`)
  await connection.sees('100 Continue')
  return { edge, connection, sync, began: began.promise, syncs: () => syncs }
}

test.each(ROUTES)('$path: a body that stops after a byte is 408 after 30 s', async ({ path }) => {
  const { edge, connection, syncs } = await begin(path)
  connection.write(BODY.slice(0, 1))
  vi.advanceTimersByTime(30_000)
  await connection.sees('"}')
  // The rest of the body comes too late to be acted on.
  connection.write(BODY.slice(1))
  const [, answer, ...more] = await connection.answers()
  if (answer === undefined) throw new Error('no answer')
  expectError(answer, 'admin', 408)
  expect(answer.headers.connection).toBe('close')
  expect(more).toEqual([])
  expect(syncs()).toBe(0)
  await expect.poll(() => edge.finished.map(({ status }) => status)).toEqual([408])
})

test.each([
  ['nonsense', ']'.repeat(BODY.length - 1)],
  ['nothing more until we hang up', undefined],
])('after a 408, %s makes no second answer', async (_what, rest) => {
  const { edge, connection } = await begin()
  connection.write(BODY.slice(0, 1))
  vi.advanceTimersByTime(30_000)
  await connection.sees('"}')
  if (rest === undefined)
    await expect.poll(() => vi.advanceTimersByTime(5_000) && edge.finished.length).toBe(1)
  else connection.write(rest)
  expect((await connection.answers()).map(({ status }) => status)).toEqual([100, 408])
  await expect.poll(() => edge.finished.map(({ status }) => status)).toEqual([408])
  expect(edge.lines.filter(({ level }) => level === 'error')).toEqual([])
})

test('a slow body leaves less time for the sync', async () => {
  const { connection, began } = await begin()
  vi.advanceTimersByTime(20_000)
  connection.write(BODY)
  await began
  vi.advanceTimersByTime(10_000)
  await connection.sees('sync timed out')
})

test('a body that comes in time is served', async () => {
  const { connection, sync } = await begin()
  vi.advanceTimersByTime(29_999)
  sync.resolve()
  connection.write(BODY)
  await connection.sees('"ok":true')
})

test.each(['resolve', 'reject'] as const)(
  'a sync that ends after its time (%s) answers nothing more',
  async (end) => {
    const { connection, sync, edge, began } = await begin()
    connection.write(BODY)
    await began
    vi.advanceTimersByTime(30_000)
    await connection.sees('sync timed out')
    if (end === 'resolve') sync.resolve()
    else sync.reject(new Error('late'))
    connection.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    const answers = await connection.answers()
    expect(answers.map(({ status }) => status)).toEqual([100, 500, 200])
    await expect.poll(() => edge.finished.map(({ status }) => status)).toEqual([500, 200])
  },
)
