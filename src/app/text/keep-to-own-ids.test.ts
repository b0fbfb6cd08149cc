import { expect, test } from 'vitest'
import { CALLER } from '../../../test/caller.ts'
import { refusalOf } from '../../../test/refusal-of.ts'
import type { TextRoute } from './choose-route.ts'
import { keepToOwnIds } from './keep-to-own-ids.ts'
import type { TextCommand } from './text-command.ts'

const BODY = { model: 'vendorC/model-o3', input: [{ type: 'item_reference', id: 'msg_1' }] }
const COMMAND: TextCommand = {
  endpoint: 'responses',
  caller: CALLER,
  body: { bytes: Buffer.from(JSON.stringify(BODY)), value: BODY },
  version: undefined,
  betas: undefined,
  isStrict: false,
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

test('the models of another organization are none of its own, also where a request is converted', () => {
  for (const dialect of ['responses', 'chat'] as const) {
    expect(refusalOf(() => keep(COMMAND, routeOf({ organizationId: 'org_other', dialect })))).toMatchObject({
      code: 'model_not_found',
    })
  }
})

test('in a shared account it may name what it was given, and a conversion names nothing', async () => {
  await expect(keep(COMMAND, routeOf({}))).rejects.toMatchObject({
    code: 'invalid_parameter',
    param: 'input.0.id',
  })
  expect(keep(COMMAND, routeOf({ dialect: 'chat' }))).toBe(COMMAND)
})

test('more ids than any conversation has are not looked up', () => {
  const input = Array.from({ length: 1_001 }, (_, at) => ({ type: 'item_reference', id: `msg_${at}` }))
  const body = { bytes: Buffer.from(''), value: { ...BODY, input } }
  expect(refusalOf(() => keep({ ...COMMAND, body }, routeOf({})))).toMatchObject({ param: 'input.1000.id' })
})
