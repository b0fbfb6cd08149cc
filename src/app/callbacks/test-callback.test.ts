import { expect, test } from 'vitest'
import { createSecrets } from '../../adapters/system/secrets.ts'
import { makeWebhookSecret } from '../access/webhook-secret.ts'
import { testCallback } from './test-callback.ts'

const secrets = createSecrets('a secret of the tests, long enough')

test.each([
  ['is sent with a secret that can be decrypted', secrets, { status: 204 }, ['audit', 'sent']],
  [
    'is refused with a secret that cannot be decrypted',
    createSecrets('another secret of the tests, long'),
    undefined,
    [],
  ],
])('a test callback %s', async (_what, own, tested, acts) => {
  const did: string[] = []
  const { encrypted: encryptedSecret } = makeWebhookSecret('org_1', own)
  const row = { encryptedSecret, encryptedPreviousSecret: null, previousUntilMs: null }
  const input = {
    organizations: { find: async () => ({}), findWebhookSecrets: async () => row },
    audit: { add: async () => void did.push('audit') },
    clock: { nowMs: () => 1, monotonicMs: () => 1 },
    send: async () => {
      did.push('sent')
      return { kind: 'answered', status: 204 }
    },
    presentTask: () => '{}',
    newId: () => 'msg_1',
    actor: 'cli',
    secrets,
  }
  const send = testCallback(input as unknown as Parameters<typeof testCallback>[0])
  const ended = send({ organizationId: 'org_1', url: 'https://a.example/hook' })
  if (tested === undefined)
    await expect(ended).rejects.toThrow(
      'The webhook secret of org_1 was encrypted with another SLUICE_SECRET.',
    )
  else expect(await ended).toMatchObject(tested)
  expect(did).toEqual(acts)
})
