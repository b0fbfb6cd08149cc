import type { JsonObject } from '@sluice/dialects/json/json-object'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Tenant } from '../video/tenants.ts'
import { CHAT_MODEL, RESPONSES_MODEL, response } from './call-text.ts'
import { startTextApi, type TextApi } from './start-text-api.ts'

/** The model reasons, then writes 40 words, one every 10 ms. */
const REASONS = '[reason] [pace 10] [words 40]'
/** Prompt for a reply that reasons for some seconds. */
const REASONS_LONG = '[reason] [pace 20] [words 400]'
const CREDIT = 1_000_000_000
/** Cost of the whole reply in micro-USD. */
const WHOLE_MICROS: Readonly<Record<string, number>> = { [RESPONSES_MODEL]: 286, [CHAT_MODEL]: 104 }

async function ask(api: TextApi, { key }: Tenant, path: string, method = 'GET'): Promise<JsonObject> {
  const headers = { authorization: `Bearer ${key}` }
  return Object(await (await fetch(`${api.url}/v1/responses/${path}`, { method, headers })).json())
}

/** Requests a response whose client leaves after the first piece of reasoning. */
async function leaveReasoning(api: TextApi, { key }: Tenant, body: object): Promise<string> {
  const leaving = new AbortController()
  const answer = await fetch(`${api.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: leaving.signal,
  })
  const reader = answer.body?.getReader()
  let text = ''
  while (!text.includes('reasoning_summary_text.delta'))
    text += new TextDecoder().decode((await reader?.read())?.value)
  leaving.abort()
  return String(/"id":"(resp_[^"]+)"/.exec(text)?.[1])
}

async function whenEnded(api: TextApi, tenant: Tenant, id: string): Promise<JsonObject> {
  for (;;) {
    const found = await ask(api, tenant, id)
    if (found.status !== 'queued' && found.status !== 'in_progress') return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe.each([RESPONSES_MODEL, CHAT_MODEL])(
  'a kept response of %s that is left while it reasons',
  (model) => {
    let api: TextApi
    let impatient: TextApi
    beforeAll(async () => {
      api = await startTextApi()
      impatient = await startTextApi({ environment: { HANG_UP_LISTEN_MS: '0' } })
    })
    afterAll(async () => {
      await api.close()
      await impatient.close()
    })
    const cancelReasoning = async (at: TextApi, tenant: Tenant, input: string) => {
      const id = await leaveReasoning(at, tenant, response(input, { model, background: true, stream: true }))
      return ask(at, tenant, `${id}/cancel`, 'POST')
    }

    test('cancelResponse 200: a reply that was read to its end for the count is completed and charged whole', async () => {
      const tenant = await api.openTenant({ creditMicros: CREDIT })
      const cancelled = await cancelReasoning(api, tenant, REASONS)
      expect(cancelled).toMatchObject({ status: 'completed', usage: { output_tokens: expect.any(Number) } })
      expect(await ask(api, tenant, String(cancelled.id))).toEqual(cancelled)
      const cost = WHOLE_MICROS[model]
      expect(await api.usageOf(tenant, 1)).toMatchObject([{ outcome: 'hung-up', cost_micros: cost }])
      expect(await api.moneyOf(tenant)).toMatchObject({ balance: CREDIT - Number(cost) })
    })

    test('getResponse 200: a foreground reply is kept whole, and charged, after its client left', async () => {
      const tenant = await api.openTenant({ creditMicros: CREDIT })
      const id = await leaveReasoning(api, tenant, response(REASONS, { model, store: true, stream: true }))
      // Its first events are written a moment after they were sent.
      await expect.poll(() => ask(api, tenant, id)).toMatchObject({ id })
      expect(await whenEnded(api, tenant, id)).toMatchObject({ id, status: 'completed' })
      const cost = WHOLE_MICROS[model]
      expect(await api.usageOf(tenant, 1)).toMatchObject([{ outcome: 'hung-up', cost_micros: cost }])
      expect(await api.moneyOf(tenant)).toMatchObject({ balance: CREDIT - Number(cost) })
    })

    test('cancelResponse 200: the reply is cancelled before its end and charged for its output so far', async () => {
      const tenant = await impatient.openTenant({ creditMicros: CREDIT })
      expect(await cancelReasoning(impatient, tenant, REASONS_LONG)).toMatchObject({ status: 'cancelled' })
      const [row] = await impatient.usageOf(tenant, 1)
      expect(row).toMatchObject({ outcome: 'hung-up' })
      expect(Number(row?.output_tokens)).toBeLessThan(400)
      const balance = CREDIT - Number(row?.cost_micros)
      expect(await impatient.moneyOf(tenant)).toMatchObject({ balance })
    })
  },
)
