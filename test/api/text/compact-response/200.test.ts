import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RESPONSES_MODEL, textClientOf } from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

const SAID = [
  { role: 'user', content: 'The word is slate.' },
  { type: 'message', role: 'assistant', content: 'Noted.' },
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Which word?' }] },
]

let api: TextApi
beforeAll(async () => {
  api = await startTextApi()
})
afterAll(() => api.close())

describe('POST /v1/responses/compact, a vendor that compacts', () => {
  const model = RESPONSES_MODEL
  /** Cost of compacting `SAID`. */
  const costMicros = 36

  test("answers with the vendor's own object, and charges what it counted", async () => {
    const tenant = await api.openTenant()
    const answer = await textClientOf(api, tenant).compact({ model, input: SAID, prompt_cache_key: 'k' })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        id: expect.stringMatching(/^resp_/),
        object: 'response.compaction',
        created_at: expect.any(Number),
        output: [
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'The word is slate.' }] },
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Which word?' }] },
          { type: 'compaction', id: expect.stringMatching(/^cmp_/), encrypted_content: expect.any(String) },
        ],
      },
    })
    expect(answer.body).not.toHaveProperty('model')
    expect(answer.headers.get('x-sluice-served-by')).toBe(model)
    expect(answer.headers.get('x-sluice-cost-usd')).toBe((costMicros / 1_000_000).toFixed(6))
    const [row] = await api.usageOf(tenant, 1)
    expect(row).toMatchObject({ model, outcome: 'completed', cost_micros: costMicros, losses: [] })
    expect(row?.output_tokens).toBe(Object(answer.body.usage).output_tokens)
    const sent = (await api.vendor.requests()).at(-1)
    expect(sent).toMatchObject({ path: '/text/v1/responses/compact' })
  })

  test('the next request goes on from it', async () => {
    const client = textClientOf(api, api.tenant)
    const { body } = await client.compact({ model, input: SAID })
    const input = [...Object(body).output, { role: 'user', content: 'Go on.' }]
    expect(await client.responses({ model, input, store: false })).toMatchObject({
      status: 200,
      body: { status: 'completed' },
    })
  })

  test('compacts a conversation that is kept', async () => {
    const client = textClientOf(api, api.tenant)
    const first = await client.responses({ model, input: 'The word is slate.', store: true })
    const answer = await client.compact({ model, previous_response_id: first.body.id, input: 'Go on.' })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        object: 'response.compaction',
        output: [
          { content: [{ text: 'The word is slate.' }] },
          { content: [{ text: 'Go on.' }] },
          { type: 'compaction' },
        ],
      },
    })
    expect(await client.compact({ model, previous_response_id: first.body.id })).toMatchObject({
      status: 200,
    })
  })

  test('a heavy body is compacted', async () => {
    const tenant = await api.openTenant()
    const long = 'The word is slate. '.repeat(20_000)
    const input = [{ role: 'user', content: long }, ...SAID]
    expect(await textClientOf(api, tenant).compact({ model, input })).toMatchObject({
      status: 200,
      body: { object: 'response.compaction', output: [{}, {}, {}, { type: 'compaction' }] },
    })
    expect(await api.usageOf(tenant, 1)).toMatchObject([{ outcome: 'completed' }])
  })

  test('the same Idempotency-Key is charged once, and is refused on another endpoint', async () => {
    const tenant = await api.openTenant()
    const client = textClientOf(api, tenant)
    const key = { 'idempotency-key': 'once' }
    const first = await client.compact({ model, input: SAID }, key)
    const again = await client.compact({ model, input: SAID }, key)
    expect(again.text).toBe(first.text)
    expect(await client.responses({ model, input: SAID }, key)).toMatchObject({ status: 422 })
    expect(await api.usageOf(tenant, 1)).toMatchObject([{ cost_micros: costMicros }])
  })
})
