import {
  formatKey,
  isWellFormedKey,
  keyBytes,
  keyPrefix,
  TOKEN_START,
} from '../../domain/access/key-format.ts'
import { isTakenName, type OperatorAccount, type Role } from '../../domain/access/operator-account.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { OperatorStore } from '../../ports/operators.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import type { Operator } from '../operator.ts'
import { noSuch } from './no-such.ts'

export function createOperator({
  operators,
  secrets,
  ...tools
}: AuditTools & { operators: OperatorStore; secrets: Secrets }): Operator['createOperator'] {
  return async ({ name, role }: { name: string; role: Role }) => {
    if (isTakenName(name)) throw takenName(name)
    const token = makeToken(secrets)
    const id = tools.newId('opr')
    const row = { id, name, role, prefix: keyPrefix(token), createdAtMs: tools.clock.nowMs() }
    const act = { action: 'operator.create', organizationId: null, subject: id, detail: { name, role } }
    const created = await operators.create({ ...row, digest: secrets.digest(token) }, draftAudit(act, tools))
    if (!created) throw takenName(name)
    return { account: { ...row, revokedAtMs: null }, token }
  }
}

export function revokeOperator({
  operators,
  ...tools
}: AuditTools & { operators: OperatorStore }): Operator['revokeOperator'] {
  return async (id) => {
    const act = { action: 'operator.revoke', organizationId: null, subject: id, detail: {} }
    const change = { id, revokedAtMs: tools.clock.nowMs() }
    const revoked = await operators.revoke(change, draftAudit(act, tools))
    if (revoked === undefined) throw noSuch('operator', id)
    return revoked
  }
}

/** Who shows this token; undefined for a token that this deployment never made, or that was revoked. */
export type FindOperator = (token: string) => Promise<OperatorAccount | undefined>

/** A made-up token is known by its mark, without a query. A real one is looked up each time, so that a revocation acts at once. */
export function findOperator({
  operators,
  secrets,
}: {
  operators: Pick<OperatorStore, 'findByToken'>
  secrets: Secrets
}): FindOperator {
  return async (token) => {
    if (!isWellFormedKey(token, TOKEN_START) || !isMarked(token, secrets)) return undefined
    return operators.findByToken(secrets.digest(token))
  }
}

/** Of the 32 bytes of a token: chance, then a mark of it that only this deployment can make. */
const RANDOM_BYTES = 20
const MARK_BYTES = 12

function makeToken(secrets: Secrets): string {
  const random = secrets.randomBytes(RANDOM_BYTES)
  const bytes = new Uint8Array(RANDOM_BYTES + MARK_BYTES)
  bytes.set(random)
  bytes.set(secrets.mark(markedBytes(random), MARK_BYTES), RANDOM_BYTES)
  return formatKey(bytes, TOKEN_START)
}

function isMarked(token: string, secrets: Secrets): boolean {
  const bytes = keyBytes(token)
  return secrets.isMark(bytes.subarray(RANDOM_BYTES), markedBytes(bytes.subarray(0, RANDOM_BYTES)))
}

/** Begins differently from what the mark of an API key is made of, so that a key is no token in another dress. */
function markedBytes(random: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('operator:'), random])
}

function takenName(name: string): ApiError {
  return new ApiError('invalid_parameter', {
    param: 'name',
    message: `The name ${name} is taken, now or by an operator before: the audit log tells operators apart by their names.`,
  })
}
