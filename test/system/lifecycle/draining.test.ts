import { once } from 'node:events'
import { expect, test } from 'vitest'
import { drainServer } from '../../../src/process/serve-until-signal.ts'
import { sendRaw } from '../../api/http-edge/raw-connection.ts'
import { drainableServer } from './drainable-server.ts'

const LONG_GRACE_MS = 60_000
const SHORT_GRACE_MS = 400
const forEver = () => new Promise<string>(() => {})

test('readiness fails first, and a running request is answered when it finishes', async () => {
  const letGo = Promise.withResolvers<string>()
  const { server, drain, port, hold } = await drainableServer(() => letGo.promise)
  const held = await hold()

  const drained = drainServer({
    server,
    drain,
    graceMs: LONG_GRACE_MS,
    notReadyMs: 2_000,
    requestedBy: 'orchestrator',
  })
  expect(await sendRaw(port, 'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n')).toMatchObject([
    { status: 503, headers: { connection: 'close' } },
  ])
  letGo.resolve('finished')
  expect(await held.answers()).toMatchObject([{ status: 200, body: 'finished' }])
  await drained
  expect(drain.ending.aborted).toBe(false)
  expect(server.server.listening).toBe(false)
})

test('a request that still runs near the end is notified in time to send its last event', async () => {
  const { server, drain, hold } = await drainableServer(async ({ ending }) => {
    await once(ending, 'abort')
    return 'last words'
  })
  const held = await hold()
  await drainServer({ server, drain, graceMs: SHORT_GRACE_MS, notReadyMs: 100, requestedBy: 'orchestrator' })
  expect(await held.answers()).toMatchObject([{ status: 200, body: 'last words' }])
})

test('a stream without an end is told to end, and cut after the grace period', async () => {
  const order: string[] = []
  const { server, drain, hold } = await drainableServer(forEver)
  drain.ending.addEventListener('abort', () => order.push('told'))
  const held = await hold()
  held.socket.once('close', () => order.push('cut'))

  await drainServer({ server, drain, graceMs: SHORT_GRACE_MS, notReadyMs: 100, requestedBy: 'orchestrator' })
  expect(await held.answers()).toEqual([])
  await expect.poll(() => order).toEqual(['told', 'cut'])
  expect(server.server.listening).toBe(false)
})

test('requests are still answered during the not-ready time, which the setting decides', async () => {
  const leave = async (notReadyMs: number) => {
    const { server, drain } = await drainableServer(forEver)
    const drained = drainServer({ server, drain, graceMs: 600_000, notReadyMs, requestedBy: 'orchestrator' })
    return { server, drained }
  }
  const long = await leave(60_000)
  const short = await leave(1)
  await short.drained
  expect(long.server.server.listening).toBe(true)
})

test('a partial request does not delay the end', async () => {
  const { server, drain, port } = await drainableServer(forEver)
  const connected = once(server.server, 'connection')
  const half = sendRaw(port, 'GET /held HTTP/1.1\r\nHost:')
  await connected
  await drainServer({ server, drain, graceMs: SHORT_GRACE_MS, notReadyMs: 100, requestedBy: 'orchestrator' })
  expect(await half).toEqual([])
})

test('a client with a connection for each call still learns that the server stops', async () => {
  const { server, drain, port } = await drainableServer(forEver)
  const drained = drainServer({
    server,
    drain,
    graceMs: LONG_GRACE_MS,
    notReadyMs: 2_000,
    requestedBy: 'orchestrator',
  })
  const received: number[] = []
  while (received.length < 10) {
    const [answer] = await sendRaw(port, 'GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    received.push(answer?.status ?? 0)
  }
  expect(received).toEqual(Array(10).fill(503))
  await drained
})
