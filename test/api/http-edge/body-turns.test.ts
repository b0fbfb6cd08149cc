import { expect, onTestFinished, test } from 'vitest'
import { createBodyTurns } from '../../../src/app/waiting/body-turns.ts'
import { createTimeBook } from '../../../src/app/waiting/time-book.ts'
import { CALLER } from '../../caller.ts'
import { hot } from './echo-operations.ts'
import { KEY, memoryApp } from './memory-app.ts'
import { openRaw } from './raw-connection.ts'
import { startEdge } from './start-edge.ts'

const BODY = `"${'a'.repeat(20 * 1024)}"`
const REQUEST = `POST /v1/video/noted HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`
const COUNT = 12

test('of simultaneous costly bodies, each turn handles one', async () => {
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

test('while the thread is busy, requests of the organization with the highest use wait for turns', async () => {
  let nowMs = 1_000
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs }
  const book = createTimeBook({ clock })
  const app = memoryApp({ authenticate: async (key) => ({ ...CALLER, organizationId: `org_${key}` }) })
  const waited: string[] = []
  const results: unknown[] = []
  const turns = {
    // The test takes the samples, not the timer of the edge.
    ...createBodyTurns(clock, { ...book, observeLag() {} }),
    take(holder: string, run: () => unknown) {
      waited.push(holder)
      results.push(run())
    },
  }
  const edge = await startEdge({ app, turns })
  onTestFinished(() => edge.close())
  const ask = async (key: string) => {
    nowMs += 50
    book.observeLag(0)
    const answer = await fetch(`${edge.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
    await answer.text()
    return answer.status
  }
  book.add('org_a', 100)
  expect(await ask('a')).toBe(200)
  expect(waited).toEqual([])
  book.add('org_b', 20)
  expect([await ask('a'), await ask('b')]).toEqual([200, 200])
  expect(waited).toEqual(['org_a'])
  // The work of the request follows later, so that no other request begins in the same turn.
  expect(results).toEqual([undefined])
})
