import { VENDOR_DIALECTS } from '@sluice/dialects/dialects'
import type { JsonObject } from '@sluice/dialects/json/json-object'
import { describe, expect, test } from 'vitest'
import { LightBody } from './light-body.ts'

const LONG = 'a few words of a long conversation '.repeat(40)
const TURNS = Array.from({ length: 20 }, (_, index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: LONG,
}))
const TOOL = { name: 'weigh', parameters: { type: 'object', properties: { kilograms: { const: 1.0e21 } } } }

const REQUESTS: Record<'messages' | 'responses' | 'chat', JsonObject> = {
  messages: { max_tokens: 99, system: 'Be short.', messages: TURNS, temperature: 0.5 },
  responses: {
    ...{ max_output_tokens: 99, instructions: 'Be short.', tools: [{ type: 'function', ...TOOL }] },
    input: [...TURNS, { type: 'item_reference', id: 'msg_before' }],
  },
  chat: {
    ...{ max_completion_tokens: 99, tools: [{ type: 'function', function: TOOL }] },
    messages: [{ role: 'system', content: 'Be short.' }, ...TURNS],
  },
}

const TARGET = {
  ...{ model: 'model-1', provider: 'vendor', maxOutputTokens: 4_096, reasons: false },
  chat: undefined,
}

describe.each(Object.keys(REQUESTS) as (keyof typeof REQUESTS)[])('a costly body of %s', (endpoint) => {
  const bodyOf = (more: JsonObject = {}) => {
    const value = { model: 'vendor/model', ...REQUESTS[endpoint], ...more }
    return new LightBody(endpoint, Buffer.from(JSON.stringify(value)), value)
  }
  const released = (more?: JsonObject) => {
    const body = bodyOf(more)
    body.release()
    return body
  }

  test('keeps only its small members when it is released', () => {
    const body = released()
    expect(body.value).toMatchObject({ model: 'vendor/model' })
    expect(JSON.stringify(body.value).length).toBeLessThan(300)
    expect(Object.keys(body.value)).not.toContain('input')
    expect(Object.keys(body.value)).not.toContain('messages')
  })

  test('gives the same answers as before the release', () => {
    const answers = (body: LightBody) => [
      ...[body.fingerprint(), body.hostedCalls(), body.asksForLongCache(), body.namesOtherModels()],
      ...[body.referencesVendorState(), body.itemIds(), body.compactions(), body.references()],
      ...[body.idsToCollect(), body.inputBound(), body.countInput(true), body.askForSummary().retained],
      ...[body.withChanges({ store: true }).bytes.toString(), body.askForSummary().body.fingerprint()],
    ]
    expect(answers(released())).toEqual(answers(bodyOf()))
  })

  test.each(Object.keys(VENDOR_DIALECTS) as (keyof typeof VENDOR_DIALECTS)[])(
    'is passed or converted to %s as before the release, and has the same count',
    (dialect) => {
      // An item reference cannot be converted, because only the vendor has the item.
      const more = endpoint === 'responses' && dialect !== endpoint ? { input: TURNS } : {}
      const plan = (body: LightBody) => {
        const { sentInputBound, countInput, ...rest } =
          dialect === endpoint
            ? body.pass({ provider: 'vendor', model: 'model-1', asksForUsage: true })
            : body.convert({ dialect, target: TARGET })
        body.release()
        return { ...rest, bound: sentInputBound(), tokens: countInput(), again: countInput() }
      }
      const before = plan(bodyOf(more))
      expect(before.tokens).toBeGreaterThan(1_000)
      expect(plan(released(more))).toEqual(before)
      if (dialect !== endpoint) expect(plan(bodyOf({ ...more, stream: true })).tokens).toBe(before.tokens)
    },
  )
})

test('a small body keeps its value, which is cheap and often needed', () => {
  const value = { model: 'vendor/model', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] }
  const body = new LightBody('messages', Buffer.from(JSON.stringify(value)), value)
  body.release()
  expect(body.value).toBe(value)
})
