import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeApi } from '../../../../src/http/operations/openapi/describe-api.ts'
import { OPERATIONS } from '../../../../src/http/routes.ts'
import { startTextApi, type TextApi } from '../../text/start-text-api.ts'

const ADMIN_API_KEY = 'an-admin-key-of-the-tests'
const { paths } = describeApi(OPERATIONS, { version: '1' })

let api: TextApi
beforeAll(async () => {
  api = await startTextApi({ environment: { ADMIN_API_KEY }, sandboxSpeed: 2_000 })
})
afterAll(() => api.close())

const EXAMPLES = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    path,
    method: method.toUpperCase(),
  })),
)

/** Statuses of refused examples. Every other example succeeds, or names something that a new gateway does not have. */
const REFUSED: Readonly<Record<string, number>> = {
  adminTestEvent: 400,
  adminSignIn: 401,
  adminGetSession: 401,
}

/** `test/conformance/check-answers.ts` compares each answer with the OpenAPI document. */
test.each(EXAMPLES)('$operationId: $method $path answers its example as described', async (example) => {
  const { path, method, parameters = [], requestBody } = example
  const place = parameters.reduce(
    (filled, { name, example = 'unknown' }) => filled.replace(`{${name}}`, encodeURIComponent(example)),
    path,
  )
  const body = requestBody?.content['application/json']?.example
  const stop = new AbortController()
  const answer = await fetch(`${api.url}${place}`, {
    method,
    redirect: 'manual',
    signal: stop.signal,
    headers: {
      authorization: `Bearer ${api.tenant.key}`,
      'anthropic-version': '2023-06-01',
      accept: 'application/json, text/event-stream',
      'x-admin-key': ADMIN_API_KEY,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = answer.headers.get('content-type')?.includes('json') ? await answer.text() : ''
  stop.abort()
  const refused = REFUSED[example.operationId]
  if (refused !== undefined || answer.status >= 400) expect(answer.status, text).toBe(refused ?? 404)
})
