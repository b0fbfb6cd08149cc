import { FAMILY_PROVIDERS } from '../video/families/families.ts'
import type { TextEndpoint } from './dialects.ts'
import { type Model, splitModelName } from './model.ts'

/** Where text models are offered, unless their row says otherwise. */
const USUAL: readonly TextEndpoint[] = ['messages', 'chat']
const OF_PROVIDERS: ReadonlyMap<string, readonly TextEndpoint[]> = new Map([
  ['vendorC', ['messages', 'responses', 'chat']],
])

/** Where a model is offered: what its row says, else every text model as messages and chat, and vendorC's as responses too. */
export function endpointsOf(model: Pick<Model, 'name' | 'likeModel' | 'endpoints'>): readonly TextEndpoint[] {
  const { name, likeModel, endpoints } = model
  if (likeModel !== undefined) return []
  if (endpoints !== null) return endpoints
  const { provider } = splitModelName(name)
  if (isVideoModel(model)) return []
  return OF_PROVIDERS.get(provider) ?? USUAL
}

/** Whether a model is meant to make videos; whether it can, `videoModelOf` says. */
export function isVideoModel({ name, likeModel }: Pick<Model, 'name' | 'likeModel'>): boolean {
  return likeModel !== undefined || FAMILY_PROVIDERS.has(splitModelName(name).provider)
}

export const MODEL_KINDS = ['text', 'video', 'embedding'] as const

export type ModelKind = (typeof MODEL_KINDS)[number]

/** What a model makes. No row can say yet that it makes embeddings: the catalog has no endpoint for them. */
export function kindOf(model: Pick<Model, 'name' | 'likeModel'>): ModelKind {
  return isVideoModel(model) ? 'video' : 'text'
}
