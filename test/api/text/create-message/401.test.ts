import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectMessagesError, message, textClientOf } from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

describe('POST /v1/messages', () => {
  let api: TextApi
  beforeAll(async () => {
    api = await startTextApi()
  })
  afterAll(() => api.close())

  test.each<[string, (key: string) => Record<string, string | undefined>]>([
    ['no key', () => ({ 'x-api-key': undefined })],
    ['an empty key', () => ({ 'x-api-key': '' })],
    ['a wrong key', () => ({ 'x-api-key': 'sk-sluice-wrong' })],
    ['a key that lacks its end', (key) => ({ 'x-api-key': key.slice(0, -1) })],
    ['a bearer without its word', (key) => ({ 'x-api-key': undefined, authorization: key })],
    ['another scheme', (key) => ({ 'x-api-key': undefined, authorization: `Basic ${key}` })],
    ['two keys that differ', () => ({ authorization: 'Bearer sk-sluice-other' })],
  ])('%s', async (_name, headers) => {
    const { messages } = textClientOf(api, api.tenant)
    const answer = await messages(message(), headers(api.tenant.key))
    expectMessagesError(answer, { status: 401, type: 'authentication_error' })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('before the version and the body are looked at', async () => {
    const answer = await textClientOf(api, { key: 'wrong' }).messages('{', { 'compat-version': undefined })
    expectMessagesError(answer, { status: 401, type: 'authentication_error' })
  })
})
