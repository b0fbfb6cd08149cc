import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { App } from '../../../src/app/app.ts'
import { createLiveRequests } from '../../../src/app/live-requests.ts'
import type { Operation } from '../../../src/http/operation.ts'
import { OPERATIONS } from '../../../src/http/routes.ts'
import { ADMIN_KEY, KEY, memoryApp } from './memory-app.ts'
import { openRaw } from './raw-connection.ts'
import { type Edge, startEdge } from './start-edge.ts'

/** A stream whose operation has no answer of its own for HEAD. */
const ENDLESS: Operation = {
  ...{ id: 'endless', method: 'GET', path: '/v1/endless', area: 'video', access: 'open' },
  summary: 'A stream that does not end by itself',
  replies: { 200: { description: 'The stream.' } },
  handle: () => (_request, reply) => reply.type('text/plain').send(endless()),
}

const TABLE = [...OPERATIONS, ENDLESS]
const GETS = TABLE.filter(({ method }) => method === 'GET')
const QUERIES = ['', '?stream=true']

/** Streams that were created, reads from them, names of what the app opened, and listeners. */
const made: Readable[] = []
const reads = { count: 0 }
const opened: string[] = []
let listening = 0

function endless(): Readable {
  const stream = new Readable({
    read() {
      reads.count += 1
    },
  })
  made.push(stream)
  return stream
}

const openIt = (name: string) => async () => {
  opened.push(name)
  return {
    ...({ status: 200, contentType: 'video/mp4', contentLength: '9', contentRange: undefined } as const),
    body: endless(),
  }
}

/** An app whose methods count what they open, and close nothing by themselves. */
function openHandedApp(replaced: Partial<App> = {}): App {
  return memoryApp({
    listenToRequests: () => {
      listening += 1
      return () => {
        listening -= 1
      }
    },
    findContent: {
      ofTask: async () => ({ open: openIt('video') }),
      ofOwnTask: async () => ({ open: openIt('own video') }),
      ofLink: async () => ({ open: openIt('kept video') }),
      ofAsset: async () => ({ open: openIt('asset') }),
    },
    getResponse: async () => '{"id":"resp_1"}',
    async readResponse() {
      opened.push('response')
      await new Promise(() => {})
    },
    openId: { begin: openIt('openid'), finish: openIt('openid') } as never,
    ...replaced,
  })
}

describe('HEAD of every GET in the table', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge({ operations: TABLE, app: openHandedApp(), limits: { inFlightMax: 2 } })
  })
  afterAll(() => edge.close())
  beforeEach(() => {
    made.length = 0
    reads.count = 0
    opened.length = 0
    listening = 0
  })

  test.each(GETS)('$path is answered immediately and leaves nothing open', async ({ path }) => {
    const keys = `Authorization: Bearer ${KEY}\r\nX-Admin-Key: ${ADMIN_KEY}\r\n`
    const target = path.replaceAll(/:\w+/g, 'resp_0000000000000000000000000000000000000000')
    for (const query of QUERIES) {
      const head = `HEAD ${target}${query} HTTP/1.1\r\nHost: x\r\n${keys}\r\n`
      const next = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
      const connection = openRaw(edge.port)
      onTestFinished(() => void connection.socket.destroy())
      // The second answer comes on the same connection, so the first is complete and had no body.
      connection.write(`${head}${next}`)
      await connection.sees('"status":"ok"')
    }
    expect(opened).toEqual([])
    expect(listening).toBe(0)
    expect(reads.count).toBe(0)
    expect(made.map((stream) => stream.destroyed)).toEqual(made.map(() => true))
  })

  test('the app opens the content for GET', async () => {
    for (const [path, what] of [
      ['/admin/v1/tasks/task_1/content', 'video'],
      ['/admin/v1/assets/asset_1/content', 'asset'],
    ] as const) {
      const connection = openRaw(edge.port)
      connection.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Admin-Key: ${ADMIN_KEY}\r\n\r\n`)
      await expect.poll(() => opened).toContain(what)
      connection.socket.destroy()
    }
    await expect.poll(() => made.every((stream) => stream.destroyed)).toBe(true)
  })
})

describe('a client that leaves', () => {
  const GET_LIVE = 'GET /admin/v1/live HTTP/1.1\r\nHost: x\r\nX-Admin-Key: a token\r\n\r\n'

  test.each(['before its key was found', 'during the feed'])('%s frees its slot', async (when) => {
    const requests = createLiveRequests({ clock: { nowMs: () => 0, monotonicMs: () => 0 } })
    const found = Promise.withResolvers<void>()
    const stopped = vi.fn()
    const started = vi.fn()
    let asked = 0
    const edge = await startEdge({
      app: openHandedApp({
        async findOperator() {
          asked += 1
          await found.promise
          return { name: 'eve', role: 'viewer' } as never
        },
        listenToRequests(listener, operator) {
          started()
          const stop = requests.listen(listener, operator)
          return (
            stop &&
            (() => {
              stop()
              stopped()
            })
          )
        },
      }),
    })
    onTestFinished(() => edge.close())
    const connection = openRaw(edge.port)
    connection.write(GET_LIVE)
    await expect.poll(() => asked).toBe(1)
    if (when === 'during the feed') {
      found.resolve()
      await connection.sees(': watching')
    }
    connection.socket.destroy()
    if (when !== 'during the feed') await expect.poll(() => edge.finished).toHaveLength(1)
    found.resolve()
    await expect.poll(() => stopped.mock.calls.length).toBe(started.mock.calls.length)
    if (when === 'during the feed') expect(started).toHaveBeenCalledOnce()
  })

  test('before the vendor answers ends its download', async () => {
    let signal: AbortSignal | undefined
    const open: Awaited<ReturnType<App['findContent']['ofTask']>>['open'] = (part) => {
      signal = part.signal
      return new Promise(() => {})
    }
    const edge = await startEdge({
      app: memoryApp({
        findContent: { ...memoryApp().findContent, ofTask: async () => ({ open }) },
      }),
    })
    onTestFinished(() => edge.close())
    const connection = openRaw(edge.port)
    connection.write(
      `GET /admin/v1/tasks/task_1/content HTTP/1.1\r\nHost: x\r\nX-Admin-Key: ${ADMIN_KEY}\r\n\r\n`,
    )
    await expect.poll(() => signal?.aborted).toBe(false)
    connection.socket.destroy()
    await expect.poll(() => signal?.aborted).toBe(true)
  })
})
