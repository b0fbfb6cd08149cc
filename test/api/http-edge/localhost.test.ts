import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Operation } from '../../../src/http/operation.ts'
import { openRaw } from './raw-connection.ts'
import { startEdge } from './start-edge.ts'

const ADDRESSES = ['127.0.0.1', '::1']
const OF_THIS_MACHINE = await Promise.all(ADDRESSES.map(canListen))

const QUICK = 'GET /quick HTTP/1.1\r\nHost: x\r\n\r\n'
const SLOW = 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'

describe.each(ADDRESSES.filter((_address, at) => OF_THIS_MACHINE[at]))('localhost, by %s', (address) => {
  const start = async () => {
    const letGo = Promise.withResolvers<void>()
    let slow = 0
    const operation = (id: string, handle: () => Promise<string>): Operation => ({
      ...{ id, method: 'GET', path: `/${id}`, area: 'video', access: 'open', summary: id, replies: {} },
      handle: () => handle,
    })
    const wait = async () => {
      slow += 1
      await letGo.promise
      return 'slow'
    }
    const operations = [operation('quick', async () => 'quick'), operation('slow', wait)]
    const edge = await startEdge({ host: 'localhost', operations })
    onTestFinished(() => edge.close())
    const connection = openRaw(edge.port, address)
    onTestFinished(() => void connection.socket.destroy())
    return { edge, connection, letGo, slow: () => slow }
  }

  test('ends a connection on which more than a hundred requests wait, unserved', async () => {
    const { edge, connection, letGo } = await start()
    connection.write(SLOW + QUICK.repeat(1_000))
    expect(await connection.answers()).toEqual([])
    letGo.resolve()
    await expect.poll(() => edge.finished.map(({ operation }) => operation)).toEqual(['slow'])
  })

  test('answers a client that ended its half of the connection', async () => {
    const { connection } = await start()
    connection.socket.end(QUICK)
    expect((await connection.answers()).map(({ body }) => body)).toEqual(['quick'])
  })

  test('answers invalid HTTP in our envelope', async () => {
    const { connection } = await start()
    connection.write('nonsense\r\n\r\n')
    expect((await connection.answers())[0]).toMatchObject({ status: 400 })
  })

  test('closes connections with their answers when the process leaves, and ends after the last one', async () => {
    const { edge, connection, letGo, slow } = await start()
    connection.write(SLOW)
    await expect.poll(slow).toBe(1)
    edge.drain.begin()
    let isClosed = false
    const closed = edge.leave().then(() => {
      isClosed = true
    })
    await new Promise(setImmediate)
    expect(isClosed).toBe(false)
    letGo.resolve()
    expect(await connection.answers()).toMatchObject([{ status: 200, headers: { connection: 'close' } }])
    await closed
  })
})

/** Some machines have no IPv6. */
function canListen(host: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const server = createServer().on('error', () => resolve(false))
  server.listen({ host, port: 0 }, () => server.close(() => resolve(true)))
  return promise
}
