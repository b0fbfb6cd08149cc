import type { ChatVariant } from '../../../domain/catalog/chat-variant.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { TextProvider, TextUpstreamModel } from '../../../ports/text-provider.ts'
import type { Upstream } from '../../outbound/upstream.ts'
import { Asking, type AskingParts } from './asking.ts'
import { hiddenWords } from './hidden-words.ts'
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
}

/** A vendor that speaks one of the text dialects, reached with whichever of its keys is well. */
export function textProvider(parts: TextProviderParts): TextProvider {
  const { name, models, keys, clock } = parts
  const shared: AskingParts = { ...parts, chatPath: parts.chat?.path, ring: createKeyRing(keys, clock) }
  return {
    name,
    hides: hiddenWords(parts.baseUrl, keys),
    organizationId: parts.organizationId,
    chat: parts.chat,
    findModel: (model) => models.get(model),
    send(call, receiver) {
      const asking = new Asking(shared, call, receiver)
      if (!asking.attempt()) throw new Error('a provider has no key')
      return asking
    },
  }
}
