import { expect, test } from 'vitest'
import { fakeServices } from './fake-services.ts'
import { run } from './run.ts'

const OPERATOR = {
  ...{ id: 'opr_1', name: 'ana', role: 'viewer', prefix: 'op-sluice-abcdef' },
  ...{ created_at: '1970-01-01T00:00:00.000Z', revoked_at: null },
}

const ROTATED = {
  ...{ switched: true, encrypted_again: 3, unreadable: 0 },
  still_needed_by: [{ of: 'api_keys', rows: 1, until: null, ids: ['key_1'] }],
}

test.each([
  {
    line: ['operator', 'create', '--name', 'ana', '--role', 'viewer'],
    asks: ['createOperator', { name: 'ana', role: 'viewer' }],
    json: { ...OPERATOR, token: 'op-sluice-secret' },
    text: 'Made the operator opr_1. Keep the token now, it is not shown again:\n\n  op-sluice-secret\n\nIt goes into the header X-Admin-Key. The server needs ADMIN_API_KEY, or it has no admin API.\n',
  },
  {
    line: ['operator', 'list'],
    asks: ['pages.operators', { limit: 1_000 }],
    json: [OPERATOR],
    text: 'ID     NAME  ROLE    PREFIX            CREATED                   REVOKED\nopr_1  ana   viewer  op-sluice-abcdef  1970-01-01T00:00:00.000Z  -\n',
  },
  {
    line: ['operator', 'revoke', 'opr_1'],
    asks: ['revokeOperator', 'opr_1'],
    json: { ...OPERATOR, revoked_at: '1970-01-01T00:00:00.000Z' },
    text: 'The token of ana (op-sluice-abcdef...) is revoked.\n',
  },
  {
    line: ['secret', 'rotate'],
    asks: ['rotateSecret', { forgetPrevious: false }],
    json: { ...ROTATED, ended: false },
    text: 'Everything new is written under the new secret from now on.\nEncrypted again: 3 values.\nSLUICE_SECRET_PREVIOUS is still needed by 1 API key that was not used since the switch (key_1).\n',
  },
  {
    line: ['secret', 'rotate', '--forget-previous'],
    asks: ['rotateSecret', { forgetPrevious: true }],
    json: { ...ROTATED, ended: true },
    text: 'Everything new is written under the new secret from now on.\nEncrypted again: 3 values.\nThe change has ended: remove SLUICE_SECRET_PREVIOUS on every replica.\n',
  },
])('$line', async ({ line, asks, json, text }) => {
  const { services, calls } = fakeServices()
  expect(await run(line, services)).toEqual({ exitCode: 0, result: text, notice: '' })
  expect(calls).toEqual(['open', asks, 'close'])
  expect(JSON.parse((await run([...line, '--json'], services)).result)).toEqual(json)
})

test('operator create refuses an unknown role', async () => {
  const { services, calls } = fakeServices()
  const { exitCode } = await run(['operator', 'create', '--name', 'ana', '--role', 'admin'], services)
  expect({ exitCode, calls }).toEqual({ exitCode: 2, calls: [] })
})
