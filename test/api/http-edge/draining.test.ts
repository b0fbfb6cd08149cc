import { describe, expect, onTestFinished, test } from 'vitest'
import { hot } from './echo-operations.ts'
import { KEY } from './memory-app.ts'
import { openRaw, sendRaw } from './raw-connection.ts'
import { startEdge } from './start-edge.ts'

describe('a draining process', () => {
  test('ends each connection with its answer, also to earlier requests', async () => {
    const arrived = Promise.withResolvers<void>()
    const letGo = Promise.withResolvers<string>()
    const slow = hot({ area: 'video', path: '/slow' }, () => {
      arrived.resolve()
      return letGo.promise
    })
    const request = `POST /slow HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: 2\r\n\r\n{}`
    const edge = await startEdge({ operations: [slow] })
    onTestFinished(() => edge.close())
    const before = openRaw(edge.port)
    before.write(request)
    await arrived.promise
    edge.drain.begin()
    letGo.resolve('done')
    expect(await before.answers()).toMatchObject([
      { status: 200, headers: { connection: 'close' }, body: 'done' },
    ])
    expect(await sendRaw(edge.port, request)).toMatchObject([
      { status: 200, headers: { connection: 'close' } },
    ])
    const refused = await sendRaw(edge.port, 'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(refused).toMatchObject([{ status: 404, headers: { connection: 'close' } }])
  })

  test('keeps connections open before it drains', async () => {
    const edge = await startEdge({ operations: [] })
    onTestFinished(() => edge.close())
    const answers = await sendRaw(
      edge.port,
      'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    )
    expect(answers.map(({ headers }) => headers.connection)).toEqual(['keep-alive', 'close'])
  })
})
