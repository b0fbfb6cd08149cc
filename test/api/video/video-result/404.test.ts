import { expect, test } from 'vitest'
import { expectError, readAnswer } from '../../http-edge/answer.ts'
import { memoryApp } from '../../http-edge/memory-app.ts'
import { startEdge } from '../../http-edge/start-edge.ts'

test.each(['POST', 'GET'])(
  '%s /v1/video/result does not exist where vendors have no address for notices',
  async (method) => {
    const edge = await startEdge({ app: memoryApp({ takeNotice: undefined }) })
    const ask = async (path: string) => readAnswer(await fetch(`${edge.url}${path}`, { method }))
    const answer = await ask('/v1/video/result?token=t')
    const unknown = await ask('/v1/video/nothing?token=t')
    await edge.close()
    expectError(answer, 'video', 404, 'not_found')
    expect(answer.body).toBe(unknown.body)
  },
)
