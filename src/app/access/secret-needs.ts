import { counted } from '../../domain/counted.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EncryptedTable, SecretChangeStore, SecretNeed } from '../../ports/secret-change.ts'
import type { Keyring, SecretState } from '../../ports/secrets.ts'
import type { DeploymentStore } from '../../ports/store.ts'
import { assetUrlBoundTo } from '../assets/asset-url.ts'
import { answerBoundTo } from '../idempotency/once-per-key.ts'
import { providerSecretsBoundTo } from '../providers/provider-secrets.ts'
import { signingKeyBoundTo } from '../receipts/signing-keys.ts'
import { keptBoundTo } from '../verification/encrypted-verification.ts'
import {
  callbackUrlBoundTo,
  contentBoundTo,
  requestBoundTo,
  taskOfAttempt,
  ticketBoundTo,
} from '../video/encrypted.ts'
import { webhookSecretBoundTo } from './webhook-secret.ts'

/** Columns to encrypt again, with the text to which their values are bound. Values of `kept_values` expire instead. */
export const ENCRYPTED: Readonly<Record<EncryptedTable, Readonly<Record<string, (id: string) => string>>>> = {
  organizations: { webhook_secret: webhookSecretBoundTo, previous_webhook_secret: webhookSecretBoundTo },
  video_tasks: {
    sealed_callback_url: callbackUrlBoundTo,
    sealed_ticket: ticketBoundTo,
    sealed_content: contentBoundTo,
    sealed_request: requestBoundTo,
  },
  task_attempts: { sealed_ticket: (id) => ticketBoundTo(taskOfAttempt(id)) },
  assets: { sealed_url: assetUrlBoundTo },
  verifications: {
    sealed_token: (id) => keptBoundTo('token', id),
    sealed_callback_url: (id) => keptBoundTo('callback', id),
    sealed_redirect: (id) => keptBoundTo('redirect', id),
  },
  admin_requests: { sealed_answer: answerBoundTo },
  receipt_keys: { sealed_private_key: signingKeyBoundTo },
  providers: { sealed_secrets: providerSecretsBoundTo },
}

export const ENCRYPTED_TABLES: readonly EncryptedTable[] = [
  'organizations',
  'video_tasks',
  'task_attempts',
  'assets',
  'verifications',
  'admin_requests',
  'receipt_keys',
  'providers',
]

/** Replicas learn of the switch within seconds; until then they may write under the previous secret. */
const SWITCH_SEEN_MS = 60_000
const REPLIES_KEPT_MS = 24 * 3_600_000

/** Counts values that the secret of new writes cannot read. */
export function countSecretNeeds(
  { switchedAtMs }: SecretState,
  input: { secretChange: Pick<SecretChangeStore, 'countNeeds'>; secrets: Keyring; clock: Clock },
): Promise<SecretNeed[]> {
  const { secretChange, secrets, clock } = input
  return secretChange.countNeeds({
    start: secrets.startOfWritten(),
    encrypted: ENCRYPTED_TABLES.map((table) => ({ table, columns: Object.keys(ENCRYPTED[table]) })),
    nowMs: clock.nowMs(),
    claimsExpireByMs: (switchedAtMs ?? 0) + SWITCH_SEEN_MS + REPLIES_KEPT_MS,
  })
}

const NAMES: Record<SecretNeed['of'], [one: string, many: string]> = {
  organizations: ['organization with its callback secrets', 'organizations with their callback secrets'],
  video_tasks: ['video task', 'video tasks'],
  task_attempts: ['earlier attempt of a video task', 'earlier attempts of video tasks'],
  assets: ['asset', 'assets'],
  verifications: ['verification', 'verifications'],
  admin_requests: ['answer to an admin request', 'answers to admin requests'],
  receipt_keys: ['key that signs receipts', 'keys that sign receipts'],
  providers: ['provider with its keys', 'providers with their keys'],
  api_keys: ['API key that was not used since the switch', 'API keys that were not used since the switch'],
  operators: [
    'operator token that was not used since the switch',
    'operator tokens that were not used since the switch',
  ],
  operator_sessions: ['session of the console', 'sessions of the console'],
  sign_in_links: ['sign-in link', 'sign-in links'],
  open_verifications: [
    'verification that a person may still come back from',
    'verifications that a person may still come back from',
  ],
  notices_of_open_tasks: [
    'open video task whose vendor sends notices',
    'open video tasks whose vendor sends notices',
  ],
  request_claims: ['Idempotency-Key of a text request', 'Idempotency-Keys of text requests'],
  admin_request_claims: ['Idempotency-Key of an admin request', 'Idempotency-Keys of admin requests'],
  vendor_ids: ["vendor's id that clients may name again", "vendors' ids that clients may name again"],
}

export function describeNeeds(needs: readonly SecretNeed[]): string {
  return needs
    .map(({ of, rows, untilMs, ids }) => {
      const until = untilMs === null ? '' : `, the last until ${new Date(untilMs).toISOString()}`
      const named = ids.length === 0 ? '' : ` (${ids.join(', ')}${rows > ids.length ? ', ...' : ''})`
      return `${counted(rows, ...NAMES[of])}${named}${until}`
    })
    .join('; ')
}

/** Whether `sluice secret rotate` ends this need; the other needs end when values expire or keys are used. */
export function isEncryptedNeed({ of }: SecretNeed): boolean {
  return Object.hasOwn(ENCRYPTED, of)
}

/** Describes the progress of a change of the secret for an operator; undefined: there is no change. */
export async function describeSecretChange(tools: {
  deployment: Pick<DeploymentStore, 'findSecretState'>
  secretChange: Pick<SecretChangeStore, 'countNeeds'>
  secrets: Keyring
  clock: Clock
}): Promise<{ detail: string; warning: true } | undefined> {
  const state = await tools.deployment.findSecretState()
  if (state === undefined || (state.previousCheck === null && !tools.secrets.hasPrevious)) return undefined
  return { detail: await describeProgress(state, tools), warning: true }
}

async function describeProgress(
  state: SecretState,
  tools: Parameters<typeof countSecretNeeds>[1],
): Promise<string> {
  if (tools.secrets.follow(state) === 'previous')
    return 'everything is still written under SLUICE_SECRET_PREVIOUS. Once every replica has both secrets, run "sluice secret rotate"'
  const needs = state.previousCheck === null ? [] : await countSecretNeeds(state, tools)
  if (needs.length === 0) return 'nothing needs SLUICE_SECRET_PREVIOUS any longer: remove it on every replica'
  const next = needs.some(isEncryptedNeed) ? '. Run "sluice secret rotate"' : ''
  return `SLUICE_SECRET_PREVIOUS is still needed by ${describeNeeds(needs)}${next}`
}
