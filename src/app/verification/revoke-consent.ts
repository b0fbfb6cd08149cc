import type { Consent, ErasureStore } from '../../ports/erasures.ts'
import { draftAudit } from '../draft-audit.ts'
import { boundPerMinute } from '../limits/rate/bound-per-minute.ts'
import type { Runtime } from '../runtime.ts'
import { confirmationOf, groupOfConsent, isConfirmation } from './consent-link.ts'

export type ConsentView =
  /** The gateway did not make the link. */
  | { kind: 'unknown' }
  /** The organization no longer keeps the verification, and the person did not ask for that. */
  | { kind: 'gone' }
  /** `confirmation` must be sent with a revocation. */
  | (Consent & { kind: 'given'; confirmation: string })
  /** `isNew`: revoked by this visit. */
  | (Consent & { kind: 'revoked'; revokedAtMs: number; isNew: boolean })

interface Visit {
  token: string
  address: string
}

export interface Consents {
  show(visit: Visit): Promise<ConsentView>
  /** Without the confirmation nothing is revoked, and the person is asked again. */
  revoke(visit: Visit & { confirmation: string | undefined }): Promise<ConsentView>
}

const UNKNOWN_PER_MINUTE_MAX = 30
/** Maximum visits of one link. People behind one proxy share an address, so visits are not counted by address. */
const VISITS_PER_MINUTE_MAX = 30

/** Shows the consent to a verified person and revokes it. The link is the only credential of the person. */
export function consents(
  tools: Pick<Runtime, 'clock' | 'newId' | 'secrets'> & {
    erasures: Pick<ErasureStore, 'findConsent' | 'revokeConsent'>
    deletableProviders: readonly string[]
  },
): Consents {
  const { erasures, deletableProviders, secrets, clock, newId } = tools
  const unknown = boundPerMinute({ clock, max: UNKNOWN_PER_MINUTE_MAX })
  const visits = boundPerMinute({ clock, max: VISITS_PER_MINUTE_MAX })

  return {
    async show(visit) {
      const groupId = groupOf(visit)
      return groupId === undefined ? { kind: 'unknown' } : view(groupId)
    },
    async revoke({ confirmation, ...visit }) {
      const groupId = groupOf(visit)
      if (groupId === undefined) return { kind: 'unknown' }
      if (confirmation === undefined || !isConfirmation(confirmation, groupId, secrets)) return view(groupId)
      const act = { action: 'person.revoke', organizationId: null, subject: groupId, detail: {} }
      const audit = draftAudit(act, { clock, newId, actor: 'person' })
      const erased = await erasures.revokeConsent({ groupId, audit, deletableProviders })
      return view(groupId, { isNew: erased !== undefined })
    },
  }

  function groupOf({ token, address }: Visit): string | undefined {
    const groupId = groupOfConsent(token, secrets)
    const refusal = groupId === undefined ? unknown.count(address) : visits.count(groupId)
    if (refusal !== undefined) throw refusal
    return groupId
  }

  async function view(groupId: string, { isNew = false } = {}): Promise<ConsentView> {
    const consent = await erasures.findConsent(groupId)
    if (consent === undefined) return { kind: 'gone' }
    const { revokedAtMs } = consent
    if (revokedAtMs !== null) return { ...consent, kind: 'revoked', revokedAtMs, isNew }
    return { ...consent, kind: 'given', confirmation: confirmationOf(groupId, secrets) }
  }
}
