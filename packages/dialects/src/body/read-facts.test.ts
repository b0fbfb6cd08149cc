import { expect, test } from 'vitest'
import { readFacts } from './read-facts.ts'

const factsOf = (body: object) =>
  readFacts(
    Buffer.from(JSON.stringify(body)),
    { endpoint: 'responses', operation: 'create' },
    () => undefined,
  )
const BODY = { model: 'vendorC/model-o3', input: 'hello' }

test('the outline has the members that decide the reply and its price, from any position in the body', () => {
  const decisive = { stream: true, store: false, max_output_tokens: 7, service_tier: 'priority' }
  const before = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`field_${at}`, at]))
  const { outline } = factsOf({ ...before, ...BODY, ...decisive })
  expect(outline).toMatchObject({ model: BODY.model, ...decisive })
  expect(Object.keys(outline)).toHaveLength(65)
})

test('the tools that a vendor would run are known, though tools are not in the outline', () => {
  const tools = [{ type: 'image_generation' }, { type: 'function', name: 'f', parameters: {} }]
  const { outline, hostedCalls } = factsOf({ ...BODY, tools, max_tool_calls: 5 })
  expect(outline).not.toHaveProperty('tools')
  expect(hostedCalls).toEqual({ image_generation_call: 5 })
  expect(factsOf(BODY).hostedCalls).toBeUndefined()
})

test('a mark for a long cache is known, though the conversation is not in the outline', () => {
  const system = [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral', ttl: '1h' } }]
  const messages = [{ role: 'user', content: 'Hi' }]
  const body = Buffer.from(JSON.stringify({ model: 'a/m', max_tokens: 9, system, messages }))
  expect(
    readFacts(body, { endpoint: 'messages', operation: 'create' }, () => undefined).asksForLongCache,
  ).toBe(true)
  expect(factsOf(BODY).asksForLongCache).toBe(false)
})
