import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEY, MODELS, memoryApp } from '../../http-edge/memory-app.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

const DEEP = {
  modelId: 9,
  name: 'router/maker/model',
  endpoints: null,
  maxOutputTokens: null,
  createdAtMs: 0,
  prices: [],
}

describe('GET /v1/models/:provider/:name', () => {
  let edge: Edge
  beforeAll(async () => {
    const models = [...MODELS, { ...DEEP, fallbacks: [] }]
    edge = await startEdge({ app: memoryApp({ listModels: () => models }) })
  })
  afterAll(() => edge.close())

  test.each([
    ['vendorC/model-4.1', 'vendorC/model-4.1'],
    ['vendorC%2Fmodel-4.1', 'vendorC/model-4.1'],
    ['vendorC%2fmodel-4.1?beta=true', 'vendorC/model-4.1'],
    ['router/maker/model', 'router/maker/model'],
    ['router/maker%2Fmodel', 'router/maker/model'],
    ['router%2Fmaker%2Fmodel', 'router/maker/model'],
  ])('%s', async (path, id) => {
    const headers = { authorization: `Bearer ${KEY}` }
    const answer = await fetch(`${edge.url}/v1/models/${path}`, { headers })
    expect(answer.status).toBe(200)
    const row: unknown = await answer.json()
    expect(row).toMatchObject({ id, object: 'model', type: 'model', owned_by: id.split('/')[0] })
    const { data } = Object(await (await fetch(`${edge.url}/v1/models`, { headers })).json())
    expect(data).toContainEqual(row)
  })
})
