import { afterAll, beforeAll, describe, test } from 'vitest'
import { expectError, readAnswer } from '../../http-edge/answer.ts'
import { KEY } from '../../http-edge/memory-app.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

describe('GET /v1/models/:provider/:name', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge()
  })
  afterAll(() => edge.close())

  test.each([
    'vendorC/nothing',
    'vendorC%2Fnothing',
    'nothing',
    'vendorC/model-4.1/more',
    'VENDORC/model-4.1',
    'vendorC/',
    '',
    '%2F',
    '__proto__/toString',
  ])('there is no model %o', async (path) => {
    const headers = { 'x-api-key': KEY }
    const answer = await fetch(`${edge.url}/v1/models/${path}`, { headers })
    expectError(await readAnswer(answer), 'responses', 404, 'model_not_found')
  })
})
