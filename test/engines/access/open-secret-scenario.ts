import { afterEach, beforeEach, describe, expect } from 'vitest'
import { createIds } from '../../../src/adapters/system/ids.ts'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { authenticate } from '../../../src/app/access/authenticate.ts'
import { confirmSecret, watchSecret } from '../../../src/app/access/confirm-secret.ts'
import { draftKey } from '../../../src/app/access/create-key.ts'
import { draftOrganization } from '../../../src/app/access/create-organization.ts'
import { findOperator } from '../../../src/app/access/operator-accounts.ts'
import { operatorSessions } from '../../../src/app/access/operator-sessions.ts'
import { rotateSecret } from '../../../src/app/access/rotate-secret.ts'
import { describeSecretChange } from '../../../src/app/access/secret-needs.ts'
import { showWebhookSecret } from '../../../src/app/access/webhook-secret.ts'
import { oncePerKey } from '../../../src/app/idempotency/once-per-key.ts'
import { createRequestClaims } from '../../../src/app/text/replay/request-claims.ts'
import type { SecretChangeStore } from '../../../src/ports/secret-change.ts'
import type { Keyring } from '../../../src/ports/secrets.ts'
import type { Store } from '../../../src/ports/store.ts'
import { createTestClock } from '../money/test-clock.ts'
import { type LentStore, lendPostgres, lendSqlite } from '../store/lend-store.ts'
import { sampleUser } from '../store/sample-rows.ts'
import { SILENT_LOG } from '../store/silent-log.ts'

export const OLD = 'o'.repeat(32)
export const NEW = 'n'.repeat(32)
export const THIRD = 't'.repeat(32)
export const DAY_MS = 24 * 3_600_000

export type SecretScenario = ReturnType<typeof openSecretScenario>
export type SecretReplica = ReturnType<SecretScenario['replicaOf']>

/** Runs the tests on each engine; every test has its own store and history. */
export function describeSecretScenarios(
  name: string,
  tests: (get: { lent(): LentStore; scenario(): SecretScenario }) => void,
): void {
  describe.each([
    ['sqlite', lendSqlite],
    ['postgres', lendPostgres],
  ])(`${name} on %s`, (_engine, lend) => {
    let lent: LentStore
    let scenario: SecretScenario
    beforeEach(async () => {
      lent = await lend()
      scenario = openSecretScenario(lent.store)
    })
    afterEach(() => lent.giveBack())
    tests({ lent: () => lent, scenario: () => scenario })
  })
}

/** Opens processes on the same store, each with one secret or two. */
function openSecretScenario(store: Store) {
  const clock = createTestClock()

  /** A process with these secrets, as it starts. */
  async function start(secret: string, previous?: string) {
    const secrets = createSecrets(secret, { previous })
    const tools = { ...store, secrets, clock, newId: createIds(clock), log: SILENT_LOG }
    await confirmSecret(tools)()
    return replicaOf(secrets)
  }

  function replicaOf(secrets: Keyring) {
    const tools = { ...store, secrets, clock, newId: createIds(clock), log: SILENT_LOG }
    const tokens = findOperator(tools)
    return {
      secrets,
      tools,
      hear: watchSecret(tools),
      tell: () => describeSecretChange(tools),
      authenticate: async (key: string) => authenticate(tools).authenticate(key),
      findOperator: tokens,
      sessions: operatorSessions({
        ...{ ...tools, findOperator: tokens },
        ...{ isAdminKey: (key: string) => key === 'admin', reliesOn: 'admin', openIdReliesOn: 'issuer' },
      }),
      showWebhookSecret: showWebhookSecret(tools),
      oncePerKey: oncePerKey(tools),
      claims: createRequestClaims(tools),
      rotate: (change: Partial<SecretChangeStore> = {}, forgetPrevious = false) =>
        rotateSecret({
          ...{ ...tools, secretChange: { ...store.secretChange, ...change }, actor: 'cli' },
          pause: async (ms) => clock.pass(ms),
        })({ forgetPrevious, onProgress: () => {} }),
    }
  }
  async function makeKey({ tools }: SecretReplica, id: string): Promise<string> {
    const made = draftKey(
      { organizationId: id, userId: `usr_of_${id}`, name: 'laptop', requestsPerMinute: null },
      tools,
    )
    expect(await store.apiKeys.create(made.row, audit(tools))).toBe(true)
    return made.key
  }

  async function makeOrganization({ tools }: SecretReplica): Promise<{ id: string; webhookSecret: string }> {
    const { row, webhookSecret } = draftOrganization(
      { name: 'Acme', billing: 'prepaid', requestsPerMinute: null },
      tools,
    )
    await store.organizations.create(row, audit(tools))
    await store.users.create(sampleUser({ id: `usr_of_${row.id}`, organizationId: row.id }), audit(tools))
    return { id: row.id, webhookSecret }
  }

  const audit = ({ newId }: SecretReplica['tools']) => ({
    ...{ id: newId('aud'), atMs: 0, actor: 'cli' as const, action: 'test', organizationId: null },
    ...{ subject: 'test', detail: {} },
  })

  return { clock, start, replicaOf, makeKey, makeOrganization }
}
