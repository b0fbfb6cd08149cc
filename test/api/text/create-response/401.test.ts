import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectResponsesError, response, textClientOf } from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

describe('POST /v1/responses', () => {
  let api: TextApi
  beforeAll(async () => {
    api = await startTextApi()
  })
  afterAll(() => api.close())

  test.each<[string, (key: string) => Record<string, string | undefined>]>([
    ['no key', () => ({ authorization: undefined })],
    ['an empty key', () => ({ authorization: 'Bearer ' })],
    ['a wrong key', () => ({ authorization: 'Bearer sk-sluice-wrong' })],
    ['a key that lacks its end', (key) => ({ authorization: `Bearer ${key.slice(0, -1)}` })],
    ['a key without its scheme', (key) => ({ authorization: key })],
    ['another scheme', (key) => ({ authorization: `Basic ${key}` })],
    ['two keys that differ', () => ({ 'x-api-key': 'sk-sluice-other' })],
  ])('%s', async (_name, headers) => {
    const { responses } = textClientOf(api, api.tenant)
    const answer = await responses(response(), headers(api.tenant.key))
    expectResponsesError(answer, { status: 401, type: 'authentication_error', code: 'invalid_api_key' })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('before the body is looked at', async () => {
    const answer = await textClientOf(api, { key: 'wrong' }).responses('{')
    expectResponsesError(answer, { status: 401, type: 'authentication_error', code: 'invalid_api_key' })
  })
})
