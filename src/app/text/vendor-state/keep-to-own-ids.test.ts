import { HEAVY_JOBS } from '@sluice/dialects/body/heavy-jobs'
import { readFacts } from '@sluice/dialects/body/read-facts'
import type { JsonObject } from '@sluice/dialects/json/json-object'
import { referencesInResponses } from '@sluice/dialects/responses/references'
import { expect, test } from 'vitest'
import { apiErrorOf } from '../../../../test/api-error-of.ts'
import { CALLER } from '../../../../test/caller.ts'
import { HeavyBody } from '../contract/heavy-body.ts'
import type { RunHeavy } from '../contract/heavy-runner.ts'
import { LightBody } from '../contract/light-body.ts'
import type { TextCommand } from '../contract/text-command.ts'
import type { TextRoute } from '../route/choose-route.ts'
import { keepToOwnIds } from './keep-to-own-ids.ts'

const BODY = { model: 'vendorC/model-o3', input: [{ type: 'item_reference', id: 'msg_1' }] }
const COMMAND: TextCommand = {
  endpoint: 'responses',
  caller: CALLER,
  body: new LightBody('responses', Buffer.from(JSON.stringify(BODY)), BODY),
  version: undefined,
  betas: undefined,
  isStrict: false,
  requestId: 'req_1',
  idempotencyKey: undefined,
}

function routeOf({
  organizationId,
  dialect = 'responses' as const,
}: {
  organizationId?: string
  dialect?: 'responses' | 'chat'
}) {
  const upstream = { dialect, upstream: 'up', countsTokens: false, reasons: true }
  const provider = {
    name: 'vendorC',
    hides: [],
    organizationId,
    findModel: () => upstream,
    send: () => ({ stop() {} }),
  }
  const route: Pick<TextRoute, 'provider' | 'upstream'> = { provider, upstream }
  return route as TextRoute
}

const keep = keepToOwnIds({ vendorIds: { findForeign: async (_scope, ids) => new Set(ids) } })

test('in its own account an organization may name everything', () => {
  expect(keep(COMMAND, routeOf({ organizationId: CALLER.organizationId }))).toBe(COMMAND)
})

test("another organization's model is not found, even if the request would be converted", () => {
  for (const dialect of ['responses', 'chat'] as const) {
    expect(apiErrorOf(() => keep(COMMAND, routeOf({ organizationId: 'org_other', dialect })))).toMatchObject({
      code: 'model_not_found',
    })
  }
})

test('in a shared account an organization may name its own ids, and a converted request sends none', async () => {
  await expect(keep(COMMAND, routeOf({}))).rejects.toMatchObject({
    code: 'invalid_parameter',
    param: 'input.0.id',
  })
  expect(keep(COMMAND, routeOf({ dialect: 'chat' }))).toBe(COMMAND)
})

test('more than 1,000 ids are not looked up', () => {
  const input = Array.from({ length: 1_001 }, (_, at) => ({ type: 'item_reference', id: `msg_${at}` }))
  const body = new LightBody('responses', Buffer.from(''), { ...BODY, input })
  expect(apiErrorOf(() => keep({ ...COMMAND, body }, routeOf({})))).toMatchObject({ param: 'input.1000.id' })
})

/** Body in the form that the thread for heavy bodies returns. */
function heavy(value: object, items = new Map<string, JsonObject>()): TextCommand {
  const bytes = Buffer.from(JSON.stringify(value))
  const endpoint = 'responses'
  const facts = readFacts(bytes, { endpoint, operation: 'create' }, () => undefined)
  const run = (async (name: string, job: Parameters<typeof HEAVY_JOBS.pass>[1]) =>
    name === 'pass' ? HEAVY_JOBS.pass(bytes, job) : expect.fail('not asked')) as unknown as RunHeavy
  return { ...COMMAND, body: new HeavyBody({ endpoint, facts, run }).withItems(items) }
}

test('a heavy body keeps no foreign id, even after 1,001 own ids', async () => {
  const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a' }] }
  const input: object[] = Array.from({ length: 1_001 }, () => ({ ...message, id: 'msg_own' }))
  input.push({ ...message, id: 'msg_other' })
  const command = heavy({ ...BODY, input })
  const findForeign = async (_scope: object, ids: readonly string[]) =>
    new Set(ids.filter((id) => id !== 'msg_own'))
  const kept = await keepToOwnIds({ vendorIds: { findForeign } })(command, routeOf({}))
  const passed = await kept.body.pass({ provider: 'vendorC', model: 'up', asksForUsage: true })
  const sent = Buffer.from(passed.body).toString()
  expect(sent.match(/msg_own/g)).toHaveLength(1_001)
  expect(sent).not.toContain('msg_other')
})

test('a heavy body keeps no foreign id, even after 1,001 references to a known item', async () => {
  const more_ids = Array.from({ length: 1_001 }, () => 'msg_known')
  const input = [{ type: 'item_reference', id: 'msg_other' }]
  const items = new Map([['msg_known', { type: 'message', role: 'assistant', content: 'a' }]])
  const command = heavy({ model: BODY.model, more_ids, input }, items)
  expect(apiErrorOf(() => keep(command, routeOf({})))).toMatchObject({ code: 'invalid_parameter' })
})

test('the search for nested ids stops at 1,001 ids', () => {
  let deep: object = Array.from({ length: 8_000 }, (_, at) => ({ file_id: `file_${at}` }))
  for (let depth = 0; depth < 50; depth += 1) deep = { deeper: deep }
  expect(referencesInResponses({ ...BODY, deep }).named).toHaveLength(1_001)
})
