import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'

const GREETING = 'hello from the target'

describe('the fault proxy', () => {
  let target: Server
  let proxy: FaultProxy
  let heard: string[]

  /** Says its greeting when it hears something, and ends when the client ends. */
  beforeEach(async () => {
    heard = []
    target = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => {})
      socket.on('data', (data) => {
        heard.push(data.toString())
        socket.write(GREETING)
      })
      socket.on('end', () => socket.end())
    }).listen(0, '127.0.0.1')
    await once(target, 'listening')
    const address = target.address()
    if (address === null || typeof address === 'string') throw new Error('not listening on a TCP port')
    proxy = await startFaultProxy(address)
  })

  afterEach(async () => {
    await proxy.close()
    target.close()
    await once(target, 'close')
    await expect.poll(() => proxy.counts.open).toBe(0)
  })

  it('passes bytes both ways and counts them', async () => {
    expect(await talk(proxy)).toBe(GREETING)
    expect(heard).toEqual(['hi'])
    expect(proxy.counts).toMatchObject({
      connections: 1,
      bytes: { 'to-target': 2, 'to-client': GREETING.length },
    })
  })

  it('refuses, and then accepts on the same port', async () => {
    await proxy.setMode({ kind: 'refuse' })
    await expect(talk(proxy)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await proxy.setMode({ kind: 'pass' })
    expect(await talk(proxy)).toBe(GREETING)
    expect(proxy.counts.connections).toBe(1)
  })

  it('resets new connections and open ones', async () => {
    const open = await join(proxy)
    await expect.poll(() => proxy.counts.open).toBe(1)
    const openEnd = text(open)
    await Promise.all([
      expect(openEnd).rejects.toMatchObject({ code: 'ECONNRESET' }),
      proxy.setMode({ kind: 'reset' }),
    ])
    await expect(talk(proxy)).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|EPIPE/) })
    expect(heard).toEqual([])
  })

  it('hangs until the mode changes, and then delivers', async () => {
    await proxy.setMode({ kind: 'hang' })
    const talking = talk(proxy)
    await expect.poll(() => proxy.counts.connections).toBe(1)
    expect(proxy.counts.bytes).toEqual({ 'to-target': 0, 'to-client': 0 })
    await proxy.setMode({ kind: 'pass' })
    expect(await talking).toBe(GREETING)
  })

  it('drips', async () => {
    await proxy.setMode({ kind: 'drip', bytes: 3, everyMs: 1 })
    const socket = await join(proxy)
    const sizes: number[] = []
    socket.on('data', (data) => sizes.push(data.length))
    socket.end('hi')
    await once(socket, 'close')
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(GREETING.length)
    expect(sizes.length).toBeGreaterThan(1)
  })

  it('delays, and forgets the delay when the mode changes', async () => {
    await proxy.setMode({ kind: 'delay', delayMs: 2 ** 30 })
    const talking = talk(proxy)
    await expect.poll(() => proxy.counts.connections).toBe(1)
    await proxy.setMode({ kind: 'delay', delayMs: 1 })
    expect(await talking).toBe(GREETING)
  })

  it('cuts the answer after a number of bytes', async () => {
    await proxy.setMode({ kind: 'cut-after', direction: 'to-client', bytes: 5 })
    expect(await talk(proxy)).toBe('hello')
    expect(await talk(proxy)).toBe('hello')
  })

  it('cuts the request after a number of bytes', async () => {
    await proxy.setMode({ kind: 'cut-after', direction: 'to-target', bytes: 1 })
    await talk(proxy).catch(() => '')
    await expect.poll(() => heard).toEqual(['h'])
  })

  it('half-closes: the client gets the end, and the target still reads the client', async () => {
    await proxy.setMode({ kind: 'half-close', direction: 'to-client', bytes: 5 })
    const socket = await join(proxy)
    let received = ''
    socket.on('data', (data) => {
      received += data
    })
    socket.write('one')
    await once(socket, 'end')
    expect(received).toBe('hello')
    socket.end('two')
    await expect.poll(() => heard).toEqual(['one', 'two'])
  })
})

async function join(proxy: FaultProxy): Promise<Socket> {
  const socket = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true })
  await once(socket, 'connect')
  return socket
}

/** Says "hi" and returns what comes back until the end. */
async function talk(proxy: FaultProxy): Promise<string> {
  const socket = await join(proxy)
  const answer = text(socket)
  socket.end('hi')
  return await answer
}
