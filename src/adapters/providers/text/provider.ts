import type { ChatVariant } from '@sluice/dialects/canonical/chat-variant'
import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { Metrics } from '../../../ports/metrics.ts'
import type { TextProvider, TextUpstreamModel } from '../../../ports/text-provider.ts'
import type { Upstream } from '../../outbound/upstream.ts'
import { breakerTargetOf, FailoverCall, type FailoverParts } from './failover-call.ts'
import { cacheHeaders } from './headers.ts'
import { createKeyRing, type RingKey } from './key-ring.ts'

export interface TextProviderParts {
  name: string
  baseUrl: string
  models: ReadonlyMap<string, TextUpstreamModel>
  keys: readonly RingKey[]
  versionHeader: string
  /** Differences and path of the provider's chat dialect. */
  chat?: (ChatVariant & { path: string }) | undefined
  /** Organization that owns the account. */
  organizationId?: string | undefined
  upstream: Upstream
  clock: Clock
  log: Log
  metrics?: Pick<Metrics, 'watchKeys'>
}

/** Vendor of text models, which is called with keys that are not paused. */
export function textProvider(parts: TextProviderParts): TextProvider {
  const { name, models, keys, clock } = parts
  const ring = createKeyRing(keys, clock)
  const shared: FailoverParts = {
    ...parts,
    ownPaths: { chat: parts.chat?.path },
    headersFor: cacheHeaders(parts.versionHeader),
    ring,
  }
  parts.metrics?.watchKeys(name, ring.countResting)
  return {
    name,
    hides: hiddenTexts(parts.baseUrl, keys),
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

/** Returns addresses and keys that a vendor may repeat in errors, and that no client may read. */
export function hiddenTexts(baseUrl: string, keys: readonly RingKey[]): string[] {
  const { origin, host, hostname } = new URL(baseUrl)
  return [...new Set([baseUrl, origin, host, hostname, ...keys.map(({ key }) => key.reveal())])]
}
