import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmbeddings } from '../../../../src/http/operations/create-embeddings/operation.ts'
import { sampleOf } from '../../../../src/http/operations/openapi/sample-of.ts'
import { textClientOf } from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

let api: TextApi
beforeAll(async () => {
  api = await startTextApi()
})
afterAll(() => api.close())

test('POST /v1/embeddings 200: the sandbox turns texts into vectors, and 1,000 tokens cost 20 micros', async () => {
  const tenant = await api.openTenant()
  const client = textClientOf(api, tenant)
  const embed = (body: object) =>
    client.post('/v1/embeddings', body, { authorization: `Bearer ${tenant.key}` })
  const example = Object(sampleOf(createEmbeddings.body?.schema))
  const first = await embed(example)
  expect(first).toMatchObject({
    status: 200,
    body: { object: 'list', model: 'vendorC/embed-small', usage: { prompt_tokens: 7, total_tokens: 7 } },
  })
  expect((await embed(example)).body.data).toEqual(first.body.data)

  const large = await embed({ ...example, input: ['a'.repeat(3_000), 'b'.repeat(1_000)] })
  expect(large.body).toMatchObject({
    data: [{ index: 0 }, { index: 1 }],
    usage: { prompt_tokens: 1_000, total_tokens: 1_000 },
  })
  const rows = await api.usageOf(tenant, 3)
  expect(rows.at(-1)).toMatchObject({ model: 'vendorC/embed-small', input_tokens: 1_000, cost_micros: 20 })
})
