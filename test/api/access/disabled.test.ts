import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from '../text-resilience/start-text-gateway.ts'
import { BEGINNING, WHOLE } from '../text-resilience/vendor-message.ts'

const PROVIDERS =
  'providers: { own: { driver: text, base_url: VENDOR, api_key: k, models: { m: messages } } }'
const CATALOG = `
models:
  - { model_id: 30, name: own/m, endpoints: [messages, responses], max_output_tokens: 1000,
      prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 15 }] }
`
const MESSAGE = { model: 'own/m', max_tokens: 100, messages: [{ role: 'user', content: 'Say hello.' }] }
const RESPONSE = { model: 'own/m', input: 'Say hello.' }

let gateway: TextGateway
beforeAll(async () => {
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
})
afterAll(() => gateway.close())

/** A tenant whose key the gateway has not seen yet. */
async function openTenant() {
  const { operator } = gateway
  const wish = { name: 'stopped', billing: 'postpaid', requestsPerMinute: null } as const
  const { organization } = await operator.createOrganization(wish)
  const organizationId = organization.id
  const { id: userId } = await operator.createUser({ organizationId, name: '' })
  const { key } = await operator.createKey({ organizationId, userId, name: '', requestsPerMinute: null })
  return { organizationId, userId, key }
}

const OPERATIONS: [method: string, path: string, body?: object][] = [
  ['POST', '/v1/messages', MESSAGE],
  ['POST', '/v1/messages/count_tokens', MESSAGE],
  ['POST', '/v1/responses', RESPONSE],
  ['GET', '/v1/models'],
  ['GET', '/v1/models/own/m'],
  ['POST', '/v1/video/generations', {}],
  ['GET', '/v1/video/generations'],
  ['GET', '/v1/video/generations/task_1'],
  ['DELETE', '/v1/video/generations/task_1'],
  ['POST', '/v1/videos', {}],
  ['GET', '/v1/videos'],
  ['GET', '/v1/videos/video_1'],
  ['GET', '/v1/videos/video_1/content'],
  ['DELETE', '/v1/videos/video_1'],
  ['POST', '/v1/video/assets', {}],
  ['GET', '/v1/video/assets'],
  ['POST', '/v1/video/assets/sessions', {}],
]

describe.each(['organization_disabled', 'user_disabled'] as const)('403 %s', (code) => {
  let key = ''
  beforeAll(async () => {
    const tenant = await openTenant()
    key = tenant.key
    if (code === 'user_disabled') await gateway.operator.disableUser(tenant.userId)
    else await gateway.operator.disableOrganization(tenant.organizationId)
  })

  test.each(OPERATIONS)('%s %s', async (method, path, body) => {
    const headers = {
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      authorization: `Bearer ${key}`,
    }
    const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) }
    const answer = await fetch(`${gateway.url}${path}`, init)
    const { error } = Object(await answer.json())
    expect({ status: answer.status, error }).toMatchObject({
      status: 403,
      error: path.startsWith('/v1/messages')
        ? { type: 'permission_error', message: expect.stringContaining('disabled') }
        : { type: 'permission_error', code, param: null },
    })
  })
})

test('running replies end with the error of their dialect, and their output so far is charged', async () => {
  const { operator, organizationId } = gateway
  const balance = async () => (await operator.showOrganization(organizationId)).balanceMicros
  const before = await balance()
  gateway.answer = (_request, response) => response.write(BEGINNING)
  const headers = {
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
    authorization: `Bearer ${gateway.key}`,
  }
  const stream = async (path: string, body: object) =>
    (
      await fetch(`${gateway.url}${path}`, {
        ...{ method: 'POST', headers, body: JSON.stringify({ ...body, stream: true }) },
      })
    ).text()
  const whole = gateway.call('/v1/messages', MESSAGE)
  const streams = Promise.all([stream('/v1/messages', MESSAGE), stream('/v1/responses', RESPONSE)])
  await expect.poll(() => gateway.asked).toBe(3)
  await operator.disableOrganization(organizationId)
  const [messages, responses] = await streams
  expect(messages).toContain('event: message_start')
  expect(messages).toMatch(
    /event: error\ndata: .*"type":"permission_error","message":"This organization is disabled\."/,
  )
  expect(responses).toContain('response.created')
  expect(responses).toMatch(/organization_disabled/)
  expect(await whole).toMatchObject({ status: 403 })
  const rows = await gateway.usage(3)
  expect(rows.map(({ outcome }) => outcome).toSorted()).toEqual(['failed', 'failed', 'failed'])
  const cost = rows.reduce((sum, row) => sum + Number(row.cost_micros), 0)
  expect(rows.map((row) => Number(row.cost_micros)).toSorted()).toEqual([0, 84, 84])
  expect(before - (await balance())).toBe(cost)
  gateway.answer = (_request, response) => response.end(WHOLE)
  await operator.enableOrganization(organizationId)
  await expect.poll(async () => (await gateway.call('/v1/messages', MESSAGE)).status).toBe(200)
})
