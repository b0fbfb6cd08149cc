import type { LossName } from '@sluice/dialects/canonical/losses'
import type { InputCount } from '@sluice/dialects/count/count-body'
import type { Relay, WholeReply, WholeVendorAnswer } from './relay.ts'

export interface TextPlan {
  /** Operation that the vendor is asked for; left out: a reply. */
  operation?: 'compact' | undefined
  body: string | Uint8Array
  losses: readonly LossName[]
  version: string | undefined
  betas: string | undefined
  sentInputBound(): InputCount
  /** Estimated input tokens for a vendor that reports none. The count is slow, so it is computed only when it is needed. */
  countInput(): number
  openRelay(): Relay
  readWhole(body: Buffer): WholeReply | Promise<WholeReply>
  readScanned: WholeVendorAnswer['readScanned']
  openWholeRelay?: WholeVendorAnswer['openRelay']
}

/** A plan that is made on another thread, after its money is reserved. */
export interface LaterPlan extends Pick<TextPlan, 'sentInputBound'> {
  make(): TextPlan | Promise<TextPlan>
}

/** Tells if a model that hides its reasoning reasons in this reply. The request decides, or else earlier replies. */
export function thinks(
  isAsked: boolean | undefined,
  didBefore: boolean | undefined,
): 'yes' | 'no' | 'unknown' {
  const known = isAsked ?? didBefore
  if (known === undefined) return 'unknown'
  return known ? 'yes' : 'no'
}

/** Response header that names the losses of the conversion. */
const LOSSES_HEADER = 'x-sluice-losses'

/** Adds these losses to the headers, each once; returns the headers unchanged when there are none. */
export function nameLosses(
  headers: Record<string, string>,
  losses: Iterable<string>,
): Record<string, string> {
  let named: Set<string> | undefined
  for (const loss of losses) {
    named ??= new Set(headers[LOSSES_HEADER]?.split(', '))
    named.add(loss)
  }
  return named === undefined ? headers : { ...headers, [LOSSES_HEADER]: [...named].join(', ') }
}
