import { ApiError } from '../../domain/api-error.ts'
import type { Pause } from '../../ports/clock.ts'
import type { EncryptedTable, SecretChangeStore, SecretNeed } from '../../ports/secret-change.ts'
import type { Keyring, SecretState } from '../../ports/secrets.ts'
import type { DeploymentStore } from '../../ports/store.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import { countSecretNeeds, ENCRYPTED, ENCRYPTED_TABLES, isEncryptedNeed } from './secret-needs.ts'

const WINDOW_ROWS = 200
/** Time for every replica to notice the switch: each looks once a second. */
const SEEN_BY_ALL_MS = 5_000

export interface SecretRotation {
  /** Whether the switch was still to be made when this run began; a parallel run may have made it since. */
  switched: boolean
  encryptedAgain: number
  /** Number of values that neither secret decrypts; they were unreadable before this run too. */
  unreadable: number
  needs: readonly SecretNeed[]
  ended: boolean
}

export interface RotateSecretCommand {
  /** Ends the change although keys, sessions or claims still need the previous secret; these stop working. */
  forgetPrevious: boolean
  onProgress(progress: { table: EncryptedTable; rows: number }): void
}

export type RotateSecret = (command: RotateSecretCommand) => Promise<SecretRotation>

/**
 *   written under the previous secret -> switched: written under the current one, read under both
 *   switched                          -> ended: nothing in the store needs the previous one, or the operator gave it up
 *
 * Encrypted values are read and written again in small batches. Each value begins with the name of its secret, so the
 * run after a killed run finds the values that are left.
 */
export function rotateSecret(
  input: AuditTools & {
    deployment: DeploymentStore
    secretChange: SecretChangeStore
    secrets: Keyring
    pause: Pause
  },
): RotateSecret {
  const { deployment, secretChange, secrets, pause, ...tools } = input
  return async ({ forgetPrevious, onProgress }) => {
    const before = await deployment.findSecretState()
    if (before === undefined || !secrets.hasPrevious) throw withoutTwoSecrets()
    const switched = secrets.follow(before) === 'previous'
    const state = switched ? await switchFrom(before) : before
    const done = { switched, encryptedAgain: 0, unreadable: 0 }
    if (state.previousCheck === null) return { ...done, needs: [], ended: true }
    const seenByAllMs = (state.switchedAtMs ?? 0) + SEEN_BY_ALL_MS
    const isNew = switched || tools.clock.nowMs() < seenByAllMs
    let pass = await encryptAll(onProgress)
    done.encryptedAgain += pass.changed
    if (isNew) {
      // Replicas that had not seen the switch yet may have written under the previous secret.
      await pause(Math.min(SEEN_BY_ALL_MS, Math.max(0, seenByAllMs - tools.clock.nowMs())))
      pass = await encryptAll(() => {})
      done.encryptedAgain += pass.changed
    }
    done.unreadable = pass.unreadable
    const needs = await countSecretNeeds(state, { secretChange, secrets, ...tools })
    const ended = isOver(needs, { forgetPrevious, unreadable: pass.unreadable }) && (await end(state, needs))
    return { ...done, needs, ended }
  }

  async function switchFrom(before: SecretState): Promise<SecretState> {
    const to = secrets.draftSwitch(before, tools.clock.nowMs())
    const act = { action: 'secret.switch', organizationId: null, subject: 'deployment', detail: {} }
    const isOurs = await secretChange.switch({ fromCheck: before.check, to }, draftAudit(act, tools))
    const state = isOurs ? to : await deployment.findSecretState()
    if (state === undefined || secrets.follow(state) !== 'current') throw withoutTwoSecrets()
    return state
  }

  async function encryptAll(
    onProgress: RotateSecretCommand['onProgress'],
  ): Promise<{ changed: number; unreadable: number }> {
    const sum = { changed: 0, unreadable: 0 }
    for (const table of ENCRYPTED_TABLES) {
      let [afterId, rows] = ['', 0]
      for (;;) {
        const window = await encryptWindow(table, afterId)
        sum.changed += window.changed
        sum.unreadable += window.unreadable
        rows += window.rows
        onProgress({ table, rows })
        if (window.lastId === undefined) break
        afterId = window.lastId
      }
    }
    return sum
  }

  async function encryptWindow(table: EncryptedTable, afterId: string) {
    const bindings = Object.entries(ENCRYPTED[table])
    const columns = bindings.map(([column]) => column)
    const rows = await secretChange.listEncrypted({ table, columns, afterId, limit: WINDOW_ROWS })
    let unreadable = 0
    const changes = rows.flatMap(({ id, values }) =>
      bindings.flatMap(([column, boundTo], at) => {
        const from = values[at]
        if (from == null || secrets.isAsWritten(from)) return []
        const text = secrets.decrypt(from, boundTo(id))
        if (text === undefined) unreadable += 1
        return text === undefined ? [] : [{ id, column, from, to: secrets.encrypt(text, boundTo(id)) }]
      }),
    )
    const changed = changes.length === 0 ? 0 : await secretChange.replaceEncrypted({ table, changes })
    const lastId = rows.length < WINDOW_ROWS ? undefined : rows.at(-1)?.id
    return { rows: rows.length, changed, unreadable, lastId }
  }

  function end({ check }: SecretState, needs: readonly SecretNeed[]): Promise<boolean> {
    const detail = { rows_left: needs.reduce((sum, { rows }) => sum + rows, 0) }
    const act = { action: 'secret.end', organizationId: null, subject: 'deployment', detail }
    return secretChange.end({ check }, draftAudit(act, tools))
  }
}

function isOver(needs: readonly SecretNeed[], run: { forgetPrevious: boolean; unreadable: number }): boolean {
  const encrypted = needs.filter(isEncryptedNeed).reduce((sum, { rows }) => sum + rows, 0)
  if (encrypted > run.unreadable) return false
  return run.forgetPrevious || needs.every(isEncryptedNeed)
}

function withoutTwoSecrets(): ApiError {
  return new ApiError('invalid_parameter', {
    message:
      'A change of the secret needs both: set SLUICE_SECRET to the new secret and SLUICE_SECRET_PREVIOUS to the previous one, here and on every replica. Nothing was changed.',
  })
}
