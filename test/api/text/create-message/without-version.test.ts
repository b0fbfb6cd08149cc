import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectMessagesError, message, type TextClient, textClientOf } from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

/** SDKs that send no version are accepted where `REQUIRE_VERSION_HEADER` is off. */
let api: TextApi
let client: TextClient
beforeAll(async () => {
  api = await startTextApi({ environment: { REQUIRE_VERSION_HEADER: 'off' } })
  client = textClientOf(api, api.tenant)
})
afterAll(() => api.close())

const NONE = { 'compat-version': undefined }

test('a message and a count need no version, and the vendor gets the known version', async () => {
  expect(await client.messages(message(), NONE)).toMatchObject({ status: 200 })
  expect(await client.count(message(), NONE)).toMatchObject({ status: 200 })
  const asked = await api.vendor.requests()
  const versions = asked.map(({ headers }) => headers?.['anthropic-version'] ?? headers?.['compat-version'])
  expect(new Set(versions)).toEqual(new Set(['2023-06-01']))
})

test.each([
  ['compat-version', { 'compat-version': '2024-01-01' }],
  ['compat-version', { 'compat-version': '' }],
  ['anthropic-version', { ...NONE, 'anthropic-version': 'latest' }],
])('a bad %s is refused all the same: %j', async (name, headers) => {
  const answer = await client.messages(message(), headers)
  expectMessagesError(answer, {
    ...{ status: 400, type: 'invalid_request_error' },
    message: new RegExp(`^The header ${name} must be`),
  })
})
