import type { ChatVariant } from '../../../domain/catalog/chat-variant.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { Metrics } from '../../../ports/metrics.ts'
import type { TextProvider, TextUpstreamModel } from '../../../ports/text-provider.ts'
import type { Upstream } from '../../outbound/upstream.ts'
import { breakerTargetOf, FailoverCall, type FailoverParts } from './failover-call.ts'
import { rememberHeaders } from './headers.ts'
import { createKeyRing, type RingKey } from './key-ring.ts'

export interface TextProviderParts {
  name: string
  baseUrl: string
  models: ReadonlyMap<string, TextUpstreamModel>
  /** At least one. */
  keys: readonly RingKey[]
  /** What this provider calls the version header of the messages dialect. */
  versionHeader: string
  /** What its chat dialect wants otherwise, and where it is spoken. */
  chat?: (ChatVariant & { path: string }) | undefined
  /** The one organization that its account belongs to. */
  organizationId?: string | undefined
  upstream: Upstream
  clock: Clock
  log: Log
  /** Left out: nothing is counted. */
  metrics?: Pick<Metrics, 'watchKeys'>
}

/** A vendor that speaks one of the text dialects, reached with whichever of its keys is well. */
export function textProvider(parts: TextProviderParts): TextProvider {
  const { name, models, keys, clock } = parts
  const ring = createKeyRing(keys, clock)
  const shared: FailoverParts = {
    ...parts,
    ownPaths: { chat: parts.chat?.path },
    headersFor: rememberHeaders(parts.versionHeader),
    ring,
  }
  parts.metrics?.watchKeys(name, ring.countResting)
  return {
    name,
    hides: hiddenWords(parts.baseUrl, keys),
    organizationId: parts.organizationId,
    chat: parts.chat,
    findModel: (model) => models.get(model),
    isReady({ dialect, upstream: model }, operation, holder) {
      if (!ring.isAwake()) return false
      const { upstream } = parts
      return (
        upstream.areBreakersClosed ||
        !upstream.isOpen({ target: breakerTargetOf(dialect, operation, model), holder })
      )
    },
    send(call, receiver) {
      const failover = new FailoverCall(shared, call, receiver)
      if (!failover.attempt()) throw new Error('a provider has no key')
      return failover
    },
  }
}

/** What a vendor may repeat in its errors and no client may read: where it is, and how we are let in. */
export function hiddenWords(baseUrl: string, keys: readonly RingKey[]): string[] {
  const { origin, host, hostname } = new URL(baseUrl)
  return [...new Set([baseUrl, origin, host, hostname, ...keys.map(({ key }) => key.reveal())])]
}
