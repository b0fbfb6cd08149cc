import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { createIds } from '../../../src/adapters/system/ids.ts'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { confirmSecret } from '../../../src/app/access/confirm-secret.ts'
import { makeWebhookSecret } from '../../../src/app/access/webhook-secret.ts'
import { sampleAudit, sampleOrganization } from '../store/sample-rows.ts'
import { SILENT_LOG } from '../store/silent-log.ts'
import { openSqlite } from '../video-work/open-engine.ts'

const FIRST = createSecrets('a'.repeat(32))
const OTHER = createSecrets('b'.repeat(32))

const tools = { clock: systemClock, newId: createIds(systemClock), log: SILENT_LOG }

async function openStore() {
  const { store, cleanUp } = await openSqlite()
  onTestFinished(cleanUp)
  const confirm = (secrets: typeof FIRST) => confirmSecret({ ...store, ...tools, secrets })()
  return { store, confirm }
}

test('the first secret on an empty store is the one that every other process needs', async () => {
  const { confirm } = await openStore()
  await confirm(FIRST)
  await expect(confirm(OTHER)).rejects.toThrow(/^This store was encrypted with another SLUICE_SECRET/)
  await confirm(FIRST)
})

test('a store without a check row is checked with the webhook secret of an organization', async () => {
  const { store, confirm } = await openStore()
  const { encrypted: encryptedWebhookSecret } = makeWebhookSecret('org_1', FIRST)
  await store.organizations.create(sampleOrganization({ encryptedWebhookSecret }), sampleAudit())
  await expect(confirm(OTHER)).rejects.toThrow(/encrypted with another SLUICE_SECRET/)
  expect(await store.deployment.findSecretState()).toBeUndefined()
  await confirm(FIRST)
  expect(await store.deployment.findSecretState()).toBeDefined()
})
