import { LIGHT_BYTES_MAX } from '@sluice/dialects/json/parse-json'
import { expect, test } from 'vitest'
import { CALLER } from '../../../../test/caller.ts'
import type { ReadHeavyBody } from '../contract/heavy-body.ts'
import { LightBody } from '../contract/light-body.ts'
import type { TextCommand } from '../contract/text-command.ts'
import { resolveItems } from './resolve-items.ts'

const VALUE = { model: 'v/m', input: [{ type: 'item_reference', id: 'msg_1' }] }
const COMMAND: TextCommand = {
  ...{ endpoint: 'responses', requestId: 'req_1', caller: CALLER, idempotencyKey: undefined },
  ...{ version: undefined, betas: undefined, isStrict: false },
  body: new LightBody('responses', Buffer.from(JSON.stringify(VALUE)), VALUE),
}

test.each([
  ['a short item is read on this', 10, []],
  ['a long item is read on another', LIGHT_BYTES_MAX, ['heavy']],
])('a request that refers to %s thread', async (_name, length, expected) => {
  const item = { id: 'msg_1', type: 'message', role: 'assistant', content: 'x'.repeat(length) }
  const read: string[] = []
  const readHeavyBody: ReadHeavyBody = async ({ bytes, organizationId }) => {
    read.push('heavy')
    expect(organizationId).toBe(CALLER.organizationId)
    expect(JSON.parse(bytes.toString()).input).toEqual([item])
    return { value: {} } as unknown as Awaited<ReturnType<ReadHeavyBody>>
  }
  const resolved = await resolveItems(COMMAND, {
    recentItems: { keep() {}, find: async () => new Map([['msg_1', item]]) },
    summaries: { encrypt: () => '', decrypt: () => undefined },
    readHeavyBody,
  })
  expect(read).toEqual(expected)
  if (expected.length === 0) expect(resolved.body.value.input).toEqual([item])
})
