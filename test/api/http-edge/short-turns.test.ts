import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { createBodyTurns } from '../../../src/app/waiting/body-turns.ts'
import { mcp } from '../../../src/http/operations/mcp/operation.ts'
import { hot } from './echo-operations.ts'
import { KEY } from './memory-app.ts'
import { startEdge } from './start-edge.ts'

test('a message of an agent waits for its turn, even a short one', async () => {
  const turns = createBodyTurns(systemClock)
  const holders: string[] = []
  const noted: typeof turns = {
    ...turns,
    take(holder, run) {
      holders.push(holder)
      turns.take(holder, run)
    },
  }
  const plain = hot({ area: 'video', path: '/v1/video/plain' }, () => '{}')
  const edge = await startEdge({ operations: [plain, mcp], turns: noted })
  onTestFinished(() => edge.close())
  const send = (path: string) =>
    fetch(`${edge.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: '{}',
    })
  expect((await send('/v1/video/plain')).status).toBe(200)
  expect(holders).toHaveLength(0)
  expect((await send('/mcp')).status).toBe(200)
  expect(holders).toHaveLength(1)
})
