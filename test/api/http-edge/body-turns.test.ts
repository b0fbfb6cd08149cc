import { expect, onTestFinished, test } from 'vitest'
import { hot } from './echo-operations.ts'
import { KEY } from './memory-app.ts'
import { openRaw } from './raw-connection.ts'
import { startEdge } from './start-edge.ts'

const BODY = `"${'a'.repeat(20 * 1024)}"`
const REQUEST = `POST /v1/video/noted HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`
const COUNT = 12

test('of costly bodies that come at once, one is taken in each turn', async () => {
  let turn = 0
  let immediate: NodeJS.Immediate | undefined
  const countTurns = () => {
    turn += 1
    immediate = setImmediate(countTurns)
  }
  const turns: number[] = []
  const noted = hot({ area: 'video', path: '/v1/video/noted' }, () => {
    turns.push(turn)
    return 'done'
  })
  const edge = await startEdge({ operations: [noted] })
  onTestFinished(() => edge.close())
  countTurns()
  onTestFinished(() => clearImmediate(immediate))
  const connection = openRaw(edge.port)
  onTestFinished(() => void connection.socket.destroy())
  connection.write(REQUEST.repeat(COUNT))
  await expect.poll(() => turns.length).toBe(COUNT)
  expect(new Set(turns).size).toBe(COUNT)
})
