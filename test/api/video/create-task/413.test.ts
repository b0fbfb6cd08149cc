import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError, readAnswer } from '../../http-edge/answer.ts'
import { KEY } from '../../http-edge/memory-app.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'
import { textBody } from '../call-api.ts'

describe('POST /v1/video/generations', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge()
  })
  afterAll(() => edge.close())

  const send = async (bytes: number) => {
    const text = JSON.stringify(textBody())
    const body = text.padEnd(bytes, ' ')
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    return readAnswer(await fetch(`${edge.url}/v1/video/generations`, { method: 'POST', headers, body }))
  }

  test('a mebibyte is accepted, one byte more is refused', async () => {
    expect(await send(1024 * 1024)).toMatchObject({ status: 200 })
    expectError(await send(1024 * 1024 + 1), 'video', 413, 'body_too_large')
  })
})
