import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleAudit } from '../../engines/store/sample-rows.ts'
import { expectResponsesError, response, textClientOf } from './call-text.ts'
import { startTextApi, type TextApi } from './start-text-api.ts'

/** Whether a reply is kept: without a word about it, with `store: true` and with `store: false`. */
type Kept = [unsaid: boolean, asked: boolean, refused: boolean]

const BY_DEFAULT: Kept = [true, true, false]
const AS_ASKED: Kept = [false, true, false]

describe.each([
  [
    'on',
    [
      ['default', BY_DEFAULT],
      ['asked', AS_ASKED],
      [null, BY_DEFAULT],
    ],
  ],
  [
    'off',
    [
      ['default', BY_DEFAULT],
      ['asked', AS_ASKED],
      [null, AS_ASKED],
    ],
  ],
] as const)('with REPLIES_KEPT_BY_DEFAULT=%s', (setting, rows) => {
  let api: TextApi
  beforeAll(async () => {
    api = await startTextApi({ environment: { REPLIES_KEPT_BY_DEFAULT: setting } })
  })
  afterAll(() => api.close())

  test.each(rows)('an organization that chose %s', async (keepReplies, expected) => {
    const tenant = await api.openTenant()
    await api.store.organizations.update({ id: tenant.organizationId, keepReplies }, sampleAudit())
    const { responses } = textClientOf(api, tenant)
    const kept: boolean[] = []
    for (const more of [{}, { store: true }, { store: false }]) {
      const made = await responses(response('[words 5]', more))
      const next = await responses(response('more', { previous_response_id: made.body.id, ...more }))
      kept.push(next.status === 200)
      if (next.status === 200) {
        expect(made.body.store).toBe(true)
        continue
      }
      const message = expected[0]
        ? /unless .*store: false.*whole/
        : /REPLIES_KEPT_BY_DEFAULT.*--keep-replies default/
      expectResponsesError(next, { status: 400, code: 'previous_response_not_found', message })
    }
    expect(kept).toEqual(expected)
  })
})

test('a kept reply belongs to its organization: another key of it reads and deletes it', async () => {
  const api = await startTextApi()
  try {
    const { tenant } = api
    const made = await textClientOf(api, tenant).responses(response('[words 5]', { store: true }))
    const { key } = await api.openKey(tenant)
    const headers = { authorization: `Bearer ${key}` }
    const url = `${api.url}/v1/responses/${made.body.id}`
    expect(await (await fetch(url, { headers })).json()).toEqual(made.body)
    expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(200)
    expect((await fetch(url, { headers })).status).toBe(404)
  } finally {
    await api.close()
  }
})
