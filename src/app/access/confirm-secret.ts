import { ApiError } from '../../domain/api-error.ts'
import type { SecretChangeStore } from '../../ports/secret-change.ts'
import type { Keyring, SecretState } from '../../ports/secrets.ts'
import type { DeploymentStore } from '../../ports/store.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import { draftAudit } from '../draft-audit.ts'
import type { Runtime } from '../runtime.ts'
import { countSecretNeeds, describeNeeds } from './secret-needs.ts'
import { showWebhookSecret } from './webhook-secret.ts'

interface SecretTools extends Pick<Runtime, 'clock'> {
  deployment: DeploymentStore
  secretChange: Pick<SecretChangeStore, 'countNeeds'>
  secrets: Keyring
}

/**
 * Rejects when this process has another secret than the store: it would recognise no key, and other replicas would not
 * recognise its new keys. The first process on an empty store writes an encrypted row, which other processes must be able
 * to decrypt. In an older store without that row, a process must decrypt the webhook secret of one organization.
 */
export function confirmSecret(
  input: SecretTools &
    Pick<Runtime, 'log' | 'newId'> & {
      organizations: OrganizationStore
      secretChange: Pick<SecretChangeStore, 'countNeeds' | 'end'>
    },
): () => Promise<void> {
  const { organizations, log, newId, ...tools } = input
  const { deployment, secretChange, secrets, clock } = tools
  return async () => {
    if ((await deployment.findSecretState()) === undefined) {
      const [first] = await organizations.list()
      if (first !== undefined && secrets.hasPrevious) throw olderStore()
      if (first !== undefined) await showWebhookSecret({ organizations, secrets })(first.id)
    }
    const encrypted = secrets.makeCheck()
    const kept = await deployment.keepSecretCheck({ encrypted, atMs: clock.nowMs() })
    const followed = await followState(kept, tools)
    if (followed === 'previous') log.warn('secret.previous_in_use')
    if (followed !== 'no-longer-needed') return
    // Without this write every later start would count the needs again.
    const act = { action: 'secret.end', organizationId: null, subject: 'deployment', detail: {} }
    await secretChange.end({ check: kept.check }, draftAudit(act, { newId, clock, actor: 'gateway' }))
  }
}

/** Checks the secret without a write, for programs that run beside the servers. A store without the row passes. */
export async function requireSecret(tools: SecretTools): Promise<void> {
  const state = await tools.deployment.findSecretState()
  if (state !== undefined) await followState(state, tools)
}

export function watchSecret(
  input: Pick<SecretTools, 'deployment' | 'secrets'> & Pick<Runtime, 'log'>,
): () => Promise<void> {
  const { deployment, secrets, log } = input
  let known: string | undefined
  return async () => {
    const state = await deployment.findSecretState()
    if (state === undefined || state.check === known) return
    const isFirst = known === undefined
    known = state.check
    if (secrets.follow(state) === 'current' && !isFirst) log.info('secret.switched')
  }
}

async function followState(
  state: SecretState,
  { secretChange, secrets, clock }: SecretTools,
): Promise<'current' | 'previous' | 'no-longer-needed'> {
  const writesUnder = secrets.follow(state)
  if (writesUnder === undefined) throw wrongSecret()
  if (state.previousCheck === null || secrets.opens(state.previousCheck)) return writesUnder
  const needs = await countSecretNeeds(state, { secretChange, secrets, clock })
  if (needs.length === 0) return 'no-longer-needed'
  throw new ApiError('internal_error', {
    message: `SLUICE_SECRET_PREVIOUS is missing, or is not the previous secret, and the store still needs it: ${describeNeeds(needs)}. Set it, and see "sluice doctor" for what is left to do.`,
  })
}

function olderStore(): ApiError {
  return new ApiError('internal_error', {
    message:
      'This store was made by an older version that did not note its secret. Start once with the old secret as SLUICE_SECRET and without SLUICE_SECRET_PREVIOUS, then begin the change.',
  })
}

function wrongSecret(): ApiError {
  return new ApiError('internal_error', {
    message:
      'This store was encrypted with another SLUICE_SECRET. Start with the secret the store was made with; every replica needs the same one. While the secret is being changed, put the previous one into SLUICE_SECRET_PREVIOUS.',
  })
}
