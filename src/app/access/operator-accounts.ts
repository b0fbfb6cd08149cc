import { keyPrefix, TOKEN_START } from '../../domain/access/key-format.ts'
import { isTakenName, type OperatorAccount, type Role } from '../../domain/access/operator-account.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { OperatorStore } from '../../ports/operators.ts'
import type { SecretChangeStore } from '../../ports/secret-change.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import type { Operator } from '../operator.ts'
import type { Runtime } from '../runtime.ts'
import { findByDigests, moveDigestOf } from './find-by-digests.ts'
import { isOwnToken, makeToken } from './marked-token.ts'
import { requireRow } from './no-such.ts'

export function createOperator(
  input: AuditTools & { operators: OperatorStore; secrets: Secrets },
): Operator['createOperator'] {
  const { operators, secrets, ...tools } = input
  return async ({ name, role }: { name: string; role: Role }) => {
    if (isTakenName(name)) throw takenName(name)
    const token = makeToken(TOKEN_START, secrets)
    const id = tools.newId('opr')
    const row = { id, name, role, prefix: keyPrefix(token), createdAtMs: tools.clock.nowMs() }
    const act = { action: 'operator.create', organizationId: null, subject: id, detail: { name, role } }
    const created = await operators.create({ ...row, digest: secrets.digest(token) }, draftAudit(act, tools))
    if (!created) throw takenName(name)
    return { account: { ...row, revokedAtMs: null }, token }
  }
}

export function revokeOperator(input: AuditTools & { operators: OperatorStore }): Operator['revokeOperator'] {
  const { operators, ...tools } = input
  return async (id) => {
    const act = { action: 'operator.revoke', organizationId: null, subject: id, detail: {} }
    const change = { id, revokedAtMs: tools.clock.nowMs() }
    return requireRow(await operators.revoke(change, draftAudit(act, tools)), 'operator', id)
  }
}

/** Returns undefined for a token that this deployment never made, or that was revoked. */
export type FindOperator = (token: string) => Promise<OperatorAccount | undefined>

/** A made-up token has a wrong mark. A real token is looked up each time, so a revocation acts immediately. */
export function findOperator(
  tools: Pick<Runtime, 'log' | 'secrets'> & {
    operators: Pick<OperatorStore, 'findByToken'>
    secretChange: Pick<SecretChangeStore, 'replaceDigest'>
  },
): FindOperator {
  const { operators, secretChange, secrets, log } = tools
  const moveDigest = moveDigestOf({ table: 'operators', secretChange, secrets, log })
  return async (token) => {
    if (!isOwnToken(token, TOKEN_START, secrets)) return undefined
    const kept = await findByDigests(secrets.digests(token), (digest) => operators.findByToken(digest))
    if (kept !== undefined) moveDigest(kept.found.id, token, kept.digest)
    return kept?.found
  }
}

function takenName(name: string): ApiError {
  return new ApiError('invalid_parameter', {
    param: 'name',
    message: `The name ${name} belongs to an operator, or did before. The audit log tells operators apart by their names.`,
  })
}
