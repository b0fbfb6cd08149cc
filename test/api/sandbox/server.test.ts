import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { jsonReply, type SandboxPart } from '../../../sandbox/part.ts'
import { type Sandbox, startSandbox } from '../../../sandbox/server.ts'

let sandbox: Sandbox
let created: string[]
let failures: unknown[]

const ANSWER = { id: 'cgt-1', padding: 'x'.repeat(100) }

function vendor(): SandboxPart {
  return {
    name: 'vendor-a',
    routes: [
      {
        operation: 'create',
        method: 'POST',
        path: '/tasks',
        handle: ({ body }) => {
          created.push(body.toString())
          return jsonReply(200, ANSWER)
        },
      },
      {
        operation: 'get',
        method: 'GET',
        path: '/tasks/:id',
        handle: ({ params, query, clock, url }) =>
          jsonReply(200, {
            id: params.id,
            seen: query.get('seen'),
            ago: clock.elapsedMs(0),
            link: `${url}/x`,
          }),
      },
      {
        operation: 'stream',
        method: 'GET',
        path: '/stream',
        handle: () => ({
          status: 200,
          headers: { 'content-type': 'text/event-stream' },
          body: (async function* () {
            yield 'data: 1\n\n'
            yield 'data: 2\n\n'
          })(),
        }),
      },
      {
        operation: 'break',
        method: 'GET',
        path: '/break',
        handle: () => {
          throw new Error('a mistake of ours')
        },
      },
    ],
  }
}

beforeEach(async () => {
  created = []
  failures = []
  sandbox = await startSandbox({
    port: 0,
    speed: 60,
    parts: [vendor()],
    nowMs: () => 1_000,
    log: { error: (_event, { error }) => void failures.push(error) },
  })
})

afterEach(() => sandbox.close())

const create = () => fetch(`${sandbox.url}/vendor-a/tasks`, { method: 'POST', body: '{"prompt":"a cat"}' })

async function control(method: string, path: string, body?: unknown) {
  const response = await fetch(`${sandbox.url}/_sandbox/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const answer: unknown = await response.json()
  return { status: response.status, answer }
}

const script = (fault: object, rule: object = {}) => control('POST', 'faults', { ...rule, fault })

describe('the sandbox', () => {
  it('answers as the vendor does', async () => {
    const response = await create()
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(ANSWER)
    expect(created).toEqual(['{"prompt":"a cat"}'])
  })

  it('gives a handler its parameters, its clock and its own address', async () => {
    const response = await fetch(`${sandbox.url}/vendor-a/tasks/cgt-7?seen=1`)
    expect(await response.json()).toEqual({
      id: 'cgt-7',
      seen: '1',
      ago: 60_000,
      link: `${sandbox.url}/vendor-a/x`,
    })
  })

  it('sends a stream', async () => {
    const response = await fetch(`${sandbox.url}/vendor-a/stream`)
    expect(await response.text()).toBe('data: 1\n\ndata: 2\n\n')
  })

  it('says what it is', async () => {
    const response = await fetch(sandbox.url)
    expect(await response.json()).toMatchObject({
      what: expect.stringContaining('sandbox'),
      parts: [
        { name: 'vendor-a', operations: [{ operation: 'create', path: '/vendor-a/tasks' }, {}, {}, {}] },
      ],
    })
  })

  it('answers 404 for an unknown path and 500 for a mistake of its own', async () => {
    expect((await fetch(`${sandbox.url}/vendor-z/tasks`)).status).toBe(404)
    expect((await fetch(`${sandbox.url}/vendor-a/break`)).status).toBe(500)
    expect(failures).toMatchObject([{ message: 'a mistake of ours' }])
  })

  it('listens on loopback only', () => {
    expect(sandbox.url).toBe(`http://127.0.0.1:${sandbox.port}`)
  })

  it('refuses to start on a port that is taken', async () => {
    await expect(startSandbox({ port: sandbox.port, speed: 1, nowMs: () => 0 })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
  })

  it('tells its parts to stop when it closes', async () => {
    const stopped: string[] = []
    const part: SandboxPart = { name: 'vendor-z', routes: [], close: () => void stopped.push('vendor-z') }
    const other = await startSandbox({ port: 0, speed: 1, nowMs: () => 0, parts: [part] })
    await other.close()
    expect(stopped).toEqual(['vendor-z'])
  })

  it('refuses a body that is too large', async () => {
    const body = Buffer.alloc(64 * 1024 * 1024 + 1)
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(`${sandbox.url}/vendor-a/tasks`, { method: 'POST' }, (response) => {
        resolve(response.statusCode)
        request.destroy()
      })
      request.once('error', reject).end(body)
    })
    expect(status).toBe(413)
    expect(created).toEqual([])
  })
})

describe('a scripted fault', () => {
  it('status: refuses without doing the work', async () => {
    await script({
      kind: 'status',
      status: 429,
      body: { error: { code: 'Busy' } },
      headers: { 'retry-after': '7' },
    })
    const response = await create()
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('7')
    expect(await response.json()).toEqual({ error: { code: 'Busy' } })
    expect(created).toEqual([])
  })

  it('status: sends a string as it is', async () => {
    await script({ kind: 'status', status: 502, body: '<h1>Bad gateway</h1>' })
    expect(await (await create()).text()).toBe('<h1>Bad gateway</h1>')
  })

  it('delay: still answers', async () => {
    await script({ kind: 'delay', ms: 20 })
    expect(await (await create()).json()).toEqual(ANSWER)
  })

  it('hang: takes the request and stays silent until the client goes', async () => {
    await script({ kind: 'hang' })
    const patience = new AbortController()
    const answer = fetch(`${sandbox.url}/vendor-a/tasks`, { method: 'POST', signal: patience.signal })
    while (!JSON.stringify(await control('GET', 'faults')).includes('"applied":1'));
    patience.abort()
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
    expect(created).toEqual([])
  })

  it('hang: does not keep the sandbox from closing', async () => {
    await script({ kind: 'hang' })
    const answer = create().catch((error: unknown) => error)
    while (!JSON.stringify(await control('GET', 'faults')).includes('"applied":1'));
    await sandbox.close()
    expect(await answer).toBeInstanceOf(Error)
  })

  it('lose-answer: does the work and says nothing', async () => {
    await script({ kind: 'lose-answer' })
    await expect(create()).rejects.toThrow()
    expect(created).toHaveLength(1)
  })

  it('cut: breaks off in the middle of the answer', async () => {
    await script({ kind: 'cut', afterBytes: 10 })
    const received = await rawRequest('POST /vendor-a/tasks')
    const [head, body] = received.split('\r\n\r\n')
    expect(head).toContain('200 OK')
    expect(head?.toLowerCase()).toContain(`content-length: ${JSON.stringify(ANSWER).length + 1}`)
    expect(body).toBe(JSON.stringify(ANSWER).slice(0, 10))
    expect(created).toHaveLength(1)
  })

  it('cut: breaks off a stream without its proper end', async () => {
    await script({ kind: 'cut', afterBytes: 9 })
    const response = await fetch(`${sandbox.url}/vendor-a/stream`)
    await expect(response.text()).rejects.toThrow()
  })

  it('cut: is a failure also after the last byte of a stream', async () => {
    await script({ kind: 'cut', afterBytes: 18 })
    const response = await fetch(`${sandbox.url}/vendor-a/stream`)
    await expect(response.text()).rejects.toThrow()
  })

  it('garbage: does the work and answers nonsense under a JSON label', async () => {
    await script({ kind: 'garbage' })
    const response = await create()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    await expect(response.json()).rejects.toThrow(SyntaxError)
    expect(created).toHaveLength(1)
  })

  it('drip: sends everything, in pieces', async () => {
    await script({ kind: 'drip', bytesPerSecond: 1_000 })
    const response = await create()
    const chunks = []
    for await (const chunk of response.body ?? []) chunks.push(chunk)
    expect(chunks.length).toBeGreaterThan(1)
    expect(JSON.parse(Buffer.concat(chunks).toString())).toEqual(ANSWER)
  })

  it('applies only to the calls that its rule names, as often as it says', async () => {
    await script(
      { kind: 'status', status: 500 },
      { part: 'vendor-a', operation: 'create', after: 1, times: 1 },
    )
    expect((await fetch(`${sandbox.url}/vendor-a/tasks/1`)).status).toBe(200)
    const statuses = [await create(), await create(), await create()].map(({ status }) => status)
    expect(statuses).toEqual([200, 500, 200])
  })
})

/** Sends one request on a socket of its own and returns every byte until the other side closes. */
function rawRequest(line: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let received = ''
  const socket = connect(sandbox.port, '127.0.0.1', () => {
    socket.write(`${line} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 0\r\n\r\n`)
  })
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.on('error', reject)
  socket.on('close', () => resolve(received))
  return promise
}
