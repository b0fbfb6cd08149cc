import { TEXT_ENDPOINTS } from '@sluice/dialects/dialect-facts'
import { FAMILY_PROVIDERS } from '../video/families/families.ts'
import { type Model, splitModelName } from './model.ts'
import type { ModelEndpoint } from './model-endpoints.ts'

const USUAL: readonly ModelEndpoint[] = TEXT_ENDPOINTS
/** The contract offers these built-in models on fewer endpoints, and their built-in rows have no list. */
const OF_BUILT_IN: ReadonlyMap<string, readonly ModelEndpoint[]> = new Map([
  ['vendorD/text-large', ['messages', 'chat']],
  ['vendorD/text-small', ['messages', 'chat']],
])

/** None for a model like a video model, else its row's list, else none for video, and `OF_BUILT_IN` or all for text. */
export function endpointsOf(
  model: Pick<Model, 'name' | 'likeModel' | 'endpoints'>,
): readonly ModelEndpoint[] {
  const { name, likeModel, endpoints } = model
  if (likeModel !== undefined) return []
  if (endpoints !== null) return endpoints
  if (isVideoModel(model)) return []
  return OF_BUILT_IN.get(name) ?? USUAL
}

/** Whether a model is meant to make videos; `videoModelOf` tells whether it can. */
export function isVideoModel({ name, likeModel }: Pick<Model, 'name' | 'likeModel'>): boolean {
  return likeModel !== undefined || FAMILY_PROVIDERS.has(splitModelName(name).provider)
}

export const MODEL_KINDS = ['text', 'video', 'embedding'] as const

export type ModelKind = (typeof MODEL_KINDS)[number]

/** Kind of output of a model. Only a model whose single endpoint is embeddings is an embedding model. */
export function kindOf(model: Pick<Model, 'name' | 'likeModel' | 'endpoints'>): ModelKind {
  if (isVideoModel(model)) return 'video'
  return model.endpoints?.length === 1 && model.endpoints[0] === 'embeddings' ? 'embedding' : 'text'
}
