import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { guardedConnect } from '../../../src/adapters/outbound/guarded-connect.ts'
import type { Resolve } from '../../../src/adapters/outbound/resolve-name.ts'
import { createAddressCheck } from '../../../src/domain/addresses/address-check.ts'

/** The connector makes the last check. These tests call only the connector, like undici does. */
describe('the connect step', () => {
  let accepted: Socket[]
  let server: ReturnType<typeof createServer>

  /** The server takes connections and sends nothing, so that no handshake succeeds. */
  beforeEach(async () => {
    accepted = []
    server = createServer((socket) => {
      socket.on('error', () => {})
      accepted.push(socket)
    }).listen(0)
    await once(server, 'listening')
  })
  afterEach(async () => {
    for (const socket of accepted) socket.destroy()
    server.close()
    await once(server, 'close')
  })

  const open = (
    hostname: string,
    {
      allow = [],
      resolve = async () => ['127.0.0.1'],
      signal = new AbortController().signal,
      protocol = 'https:',
      timeoutMs = 10_000,
    }: {
      allow?: string[]
      resolve?: Resolve
      signal?: AbortSignal
      protocol?: string
      timeoutMs?: number
    } = {},
  ) => {
    const address = server.address()
    const port = String(address !== null && typeof address === 'object' ? address.port : 0)
    const connect = guardedConnect({ isAllowed: createAddressCheck({ allow }), resolve, timeoutMs, signal })
    return new Promise((resolve, reject) => {
      connect({ hostname, protocol, port }, (error, socket) =>
        error === null ? resolve(socket) : reject(error),
      )
    })
  }

  it.each([
    '127.0.0.1',
    '0.0.0.0',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    'callback.test',
    '127.1',
    '0x7f.1',
  ])('does not connect to %s, even without an earlier check', async (hostname) => {
    await expect(open(hostname)).rejects.toMatchObject({ kind: 'forbidden', taken: 'no' })
    expect(accepted).toEqual([])
  })

  it('does not ask a resolver about an address', async () => {
    const resolve = () => Promise.reject(new Error('asked'))
    await expect(open('10.0.0.1', { resolve })).rejects.toMatchObject({ kind: 'forbidden' })
  })

  it('does not open a connection without TLS', async () => {
    const attempt = open('callback.test', { allow: ['127.0.0.0/8'], protocol: 'http:' })
    await expect(attempt).rejects.toMatchObject({ kind: 'forbidden' })
    expect(accepted).toEqual([])
  })

  it('gives up a handshake that does not finish, and closes the connection', async () => {
    const attempt = open('callback.test', { allow: ['127.0.0.0/8'], timeoutMs: 200 })
    await expect(attempt).rejects.toMatchObject({ kind: 'refused', taken: 'no' })
    await expect.poll(() => accepted.map(isGone)).toEqual([true])
  })

  it('gives up when the call ends, and closes the connection', async () => {
    const call = new AbortController()
    server.once('connection', () => call.abort())
    await expect(
      open('callback.test', { allow: ['127.0.0.0/8'], signal: call.signal }),
    ).rejects.toMatchObject({
      kind: 'refused',
    })
    await expect.poll(() => accepted.map(isGone)).toEqual([true])
  })

  it('tries at most four addresses of one name', async () => {
    const many = Array.from({ length: 20 }, () => '127.0.0.1')
    server.on('connection', (socket) => socket.destroy())
    const attempt = open('callback.test', { allow: ['127.0.0.0/8'], resolve: async () => many })
    await expect(attempt).rejects.toMatchObject({ kind: 'refused' })
    expect(accepted).toHaveLength(4)
  })
})

function isGone(socket: Socket): boolean {
  socket.resume()
  return socket.destroyed
}
