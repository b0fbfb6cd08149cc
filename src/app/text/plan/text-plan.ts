import type { LossName } from '../../../llm/canonical/losses.ts'
import type { InputCount } from '../../../llm/count/count-body.ts'
import type { Relay, WholeAnswer, WholeReply } from '../relay/relay.ts'

/** How one request is put to one vendor, and how the vendor's answer is read. */
export interface TextPlan {
  /** What the vendor is asked for; left out: a reply. */
  operation?: 'compact' | undefined
  body: string | Uint8Array
  losses: readonly LossName[]
  version: string | undefined
  betas: string | undefined
  /** How many tokens go in at most, quickly: for setting money aside. */
  reserveInput(): InputCount
  /** How many tokens go in, about: for a vendor that does not count. It takes its time, so it is asked only then. */
  countInput(): number
  openRelay(): Relay
  readWhole(body: Buffer): WholeReply | Promise<WholeReply>
  readScanned: WholeAnswer['readScanned']
  openWholeRelay?: WholeAnswer['openRelay']
}

/** A plan that is made on another thread, and only once the money for it is set aside. */
export interface LaterPlan extends Pick<TextPlan, 'reserveInput'> {
  make(): Promise<TextPlan>
}

/**
 * Whether a model thinks whose wire has no event for thoughts that are not shown: the request decides, else what the model
 * did before.
 */
export function thinks(
  isAsked: boolean | undefined,
  didBefore: boolean | undefined,
): 'yes' | 'no' | 'unknown' {
  const known = isAsked ?? didBefore
  if (known === undefined) return 'unknown'
  return known ? 'yes' : 'no'
}

/** Where a reply names what its conversion could not carry. */
const LOSSES_HEADER = 'x-sluice-losses'

/** Headers that also name these losses, each once; the same headers when there are none. */
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
