import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PricedModel } from '../../../../src/domain/catalog/model.ts'
import { KEY, MODELS, memoryApp } from '../../http-edge/memory-app.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

const ANY = { resolution: null, video_input: null, audio: null }

describe('GET /v1/models', () => {
  let edge: Edge
  let models: readonly PricedModel[] = MODELS
  beforeAll(async () => {
    edge = await startEdge({ app: memoryApp({ listModels: async () => models }) })
  })
  afterAll(() => edge.close())

  const list = async (headers: Record<string, string> = { authorization: `Bearer ${KEY}` }) => {
    const answer = await fetch(`${edge.url}/v1/models?limit=1000`, { headers })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    return answer.json()
  }

  test('lists the catalog in fields both SDK families know', async () => {
    models = MODELS
    expect(await list()).toEqual({
      object: 'list',
      data: [
        {
          id: 'vendorA/gen-2.0',
          object: 'model',
          type: 'model',
          created: 1_700_000_000,
          created_at: '2023-11-14T22:13:20.999Z',
          owned_by: 'vendorA',
          display_name: 'gen-2.0',
          kind: 'video',
          prices: [
            {
              unit: 'video_token',
              resolution: '1080p',
              video_input: true,
              audio: null,
              usd_per_million: 4.7,
            },
          ],
        },
        {
          id: 'vendorC/model-4.1',
          object: 'model',
          type: 'model',
          created: 0,
          created_at: '1970-01-01T00:00:00.000Z',
          owned_by: 'vendorC',
          display_name: 'model-4.1',
          kind: 'text',
          context_tokens: 1_047_576,
          prices: [
            { ...ANY, unit: 'input_token', usd_per_million: 0.4 },
            { ...ANY, unit: 'web_search_call', usd: 0.01 },
            { ...ANY, unit: 'flex_tier', times: 0.5 },
          ],
        },
      ],
      has_more: false,
      first_id: 'vendorA/gen-2.0',
      last_id: 'vendorC/model-4.1',
    })
  })

  test.each(['limit=1', 'limit=nonsense', 'after_id=vendorA/gen-2.0', 'before_id=x&beta=true'])(
    'is one page for any query: %s',
    async (query) => {
      models = MODELS
      const headers = { 'x-api-key': KEY }
      const answer = await fetch(`${edge.url}/v1/models?${query}`, { headers })
      expect(answer.status).toBe(200)
      expect(await answer.json()).toEqual(await list())
    },
  )

  test('takes either form of key', async () => {
    expect(await list({ 'x-api-key': KEY })).toHaveProperty('object', 'list')
  })

  test('follows the catalog', async () => {
    models = []
    expect(await list()).toEqual({ object: 'list', data: [], has_more: false, first_id: null, last_id: null })
    models = MODELS.slice(1)
    expect(await list()).toHaveProperty('first_id', 'vendorC/model-4.1')
  })
})
