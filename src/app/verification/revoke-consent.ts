import type { Clock } from '../../ports/clock.ts'
import type { Consent, ErasureStore } from '../../ports/erasures.ts'
import type { NewId, Secrets } from '../../ports/secrets.ts'
import { draftAudit } from '../draft-audit.ts'
import { boundPerMinute } from '../limits/rate/bound-per-minute.ts'
import { confirmationOf, groupOfConsent, isConfirmation } from './consent-link.ts'

/** What a person sees behind the link. */
export type ConsentView =
  /** We did not make this link. */
  | { kind: 'unknown' }
  /** Its organization does not keep the verification any more, and the person did not ask for that. */
  | { kind: 'gone' }
  /** `confirmation` is what a revocation must bring. */
  | (Consent & { kind: 'given'; confirmation: string })
  /** `isNew`: by this visit. */
  | (Consent & { kind: 'revoked'; revokedAtMs: number; isNew: boolean })

interface Visit {
  token: string
  /** Where the browser is. */
  address: string
}

export interface Consents {
  show(visit: Visit): Promise<ConsentView>
  /** Without its confirmation nothing is revoked, and the person is asked again. */
  revoke(visit: Visit & { confirmation: string | undefined }): Promise<ConsentView>
}

/** Links that we never made, of one address. */
const UNKNOWN_PER_MINUTE_MAX = 30
/** Visits of one link. People behind one proxy share an address, so theirs are not counted together. */
const VISITS_PER_MINUTE_MAX = 30

/** A verified person looks at the consent and takes it back. The link is all that the person has to show. */
export function consents({
  erasures,
  removers,
  secrets,
  clock,
  newId,
}: {
  erasures: Pick<ErasureStore, 'findConsent' | 'revokeConsent'>
  /** The providers that this gateway has their copies removed by. */
  removers: readonly string[]
  secrets: Secrets
  clock: Clock
  newId: NewId
}): Consents {
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
      const erased = await erasures.revokeConsent({ groupId, audit, removers, eventId: newId('msg') })
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
