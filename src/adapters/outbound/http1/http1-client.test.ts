import { expect, onTestFinished, test, vi } from 'vitest'
import { MemorySocket } from '../../../../test/api/outbound/http1/memory-socket.ts'
import { openWorld, REPLY, settle } from '../../../../test/api/outbound/http1/memory-world.ts'

test('head and body of a small request are one write', async () => {
  const { send, at } = openWorld()
  const headers = { 'content-type': 'application/json', 'x-latin': 'caf\xe9' }
  await send({ method: 'POST', path: '/v1/messages?a=1', headers, body: '{"a":"é"}' })
  expect(at(0).writes).toEqual([
    'POST /v1/messages?a=1 HTTP/1.1\r\nhost: vendor.example:8080\r\nconnection: keep-alive\r\ncontent-type: application/json\r\nx-latin: caf\xe9\r\ncontent-length: 10\r\n\r\n{"a":"\xc3\xa9"}',
  ])
})

test('the next request reuses the connection', async () => {
  const { send, at, sockets, client } = openWorld()
  for (let index = 0; index < 3; index++) {
    const { received } = await send()
    at(0).push(REPLY)
    await settle()
    expect(received).toEqual(['start', '200', '+ok', 'end'])
    expect(client.idle).toBe(1)
  }
  expect(sockets).toHaveLength(1)
})

test.each([
  ['the vendor closes it', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok'],
  [
    'the vendor keeps it for too short a time',
    'HTTP/1.1 200 OK\r\nkeep-alive: timeout=2\r\ncontent-length: 2\r\n\r\nok',
  ],
  ['more bytes follow', `${REPLY}${REPLY}`],
  ['a line end follows', `${REPLY}\r\n`],
])('a connection is not used again when %s', async (_why, reply) => {
  const { send, at, client } = openWorld()
  const { received } = await send()
  at(0).push(reply)
  await settle()
  expect(received).toEqual(['start', '200', '+ok', 'end'])
  expect(at(0).destroyed).toBe(true)
  expect(client.idle).toBe(0)
})

test.each([
  ['204', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ['204 with a length', 'HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n'],
  ['205', 'HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\n\r\n'],
  ['304', 'HTTP/1.1 304 Not Modified\r\ncontent-length: 0\r\n\r\n'],
])('a connection is not used again after %s: some vendors send a body with it', async (status, reply) => {
  const { send, at, client } = openWorld()
  const { received } = await send()
  at(0).push(reply)
  await settle()
  expect(received).toEqual(['start', status.slice(0, 3), 'end'])
  expect(at(0).destroyed).toBe(true)
  expect(client.idle).toBe(0)
})

test('a call takes a connection that its own organization used last, else opens one', async () => {
  const { send, at, sockets, client } = openWorld({ connections: 3 })
  await Promise.all([send({ holder: 'a' }), send({ holder: 'b' })])
  for (const index of [0, 1]) at(index).push(REPLY)
  await settle()
  expect(client.idle).toBe(2)
  await send({ holder: 'a' })
  expect(sockets.map(({ writes }) => writes.length)).toEqual([2, 1])
  await send({ holder: 'c' })
  expect(sockets.map(({ writes }) => writes.length)).toEqual([2, 1, 1])
  // The client has as many connections as it may open.
  await send({ holder: 'd' })
  expect(sockets.map(({ writes }) => writes.length)).toEqual([2, 2, 1])
})

test('a connection that has been silent for a second serves every organization', async () => {
  const nowMs = vi.spyOn(performance, 'now').mockReturnValue(5_000)
  onTestFinished(() => nowMs.mockRestore())
  const { send, at, sockets } = openWorld()
  await send({ holder: 'a' })
  at(0).push(REPLY)
  await settle()
  nowMs.mockReturnValue(6_000)
  await send({ holder: 'b' })
  expect(sockets.map(({ writes }) => writes.length)).toEqual([2])
})

test('bytes that no call waits for close the connection', async () => {
  const { send, at, sockets } = openWorld()
  await send()
  at(0).push(REPLY)
  await settle()
  at(0).push(REPLY)
  await settle()
  expect(at(0).destroyed).toBe(true)
  const second = await send()
  expect(sockets).toHaveLength(2)
  expect(second.received).toEqual(['start'])
})

test('a reply that arrives before its request is dropped', async () => {
  const { send, at, sockets } = openWorld()
  await send()
  at(0).push(REPLY)
  await settle()
  const sent = send()
  at(0).push('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nothers')
  const second = await sent
  expect(second.received).toEqual(['start'])
  expect(sockets).toHaveLength(2)
  at(1).push(REPLY)
  await settle()
  expect(second.received).toEqual(['start', '200', '+ok', 'end'])
})

test('a connection that closes before the request is written is replaced', async () => {
  const { send, at, sockets } = openWorld()
  await send()
  at(0).push(REPLY)
  await settle()
  const sent = send()
  at(0).destroy()
  expect((await sent).received).toEqual(['start'])
  expect(sockets).toHaveLength(2)
  expect(at(0).writes).toHaveLength(1)
})

test.each([
  ['closes', (socket: MemorySocket) => socket.push(null), 'UND_ERR_SOCKET'],
  [
    'is reset',
    (socket: MemorySocket) => socket.destroy(Object.assign(new Error('reset'), { code: 'ECONNRESET' })),
    'ECONNRESET',
  ],
])('a request on a connection that then %s is not sent again', async (_what, end, code) => {
  const { send, at, sockets } = openWorld()
  await send()
  at(0).push(REPLY)
  await settle()
  const { received } = await send()
  end(at(0))
  await settle()
  expect(received).toEqual(['start', code])
  expect(sockets).toHaveLength(1)
})

test('further calls wait when all allowed connections are busy', async () => {
  const { send, at, sockets } = openWorld()
  const calls = await Promise.all([send(), send(), send()])
  expect(calls.map(({ received }) => received.length)).toEqual([1, 1, 0])
  at(1).push(REPLY)
  await settle()
  await settle()
  expect(sockets).toHaveLength(2)
  expect(calls[2].received).toEqual(['start'])
  at(0).destroy()
  at(1).destroy()
  await settle()
  expect(calls[2].received).toEqual(['start', 'UND_ERR_SOCKET'])
})

test('a connection that fails ends its call only, and lets the next one try', async () => {
  const errors = [Object.assign(new Error('no'), { code: 'ECONNREFUSED' })]
  const socket = new MemorySocket()
  const { send } = openWorld({
    connections: 1,
    open(done) {
      const error = errors.pop()
      setImmediate(() => (error === undefined ? done(undefined, socket) : done(error)))
    },
  })
  const [first, second] = await Promise.all([send(), send()])
  await settle()
  expect(first.received).toEqual(['ECONNREFUSED'])
  expect(second.received).toEqual(['start'])
})

test('after the end of the client nothing is left and nothing is sent', async () => {
  const { send, at, client, sockets } = openWorld({ connections: 1 })
  const [running, waiting] = await Promise.all([send(), send()])
  await client.destroy()
  expect(at(0).destroyed).toBe(true)
  expect(running.received).toEqual(['start', 'UND_ERR_DESTROYED'])
  expect(waiting.received).toEqual(['UND_ERR_DESTROYED'])
  expect((await send()).received).toEqual(['UND_ERR_DESTROYED'])
  expect(sockets).toHaveLength(1)
})
