import { FAMILY_PROVIDERS } from '../video/families/families.ts'
import { type Model, splitModelName, type TextEndpoint } from './model.ts'

/** Providers whose models are offered as responses too, unless their row says otherwise. */
const RESPONSES_PROVIDERS: readonly string[] = ['vendorC']

/** Where a model is offered: what its row says, else every text model as messages and vendorC's as responses too. */
export function endpointsOf(model: Pick<Model, 'name' | 'likeModel' | 'endpoints'>): readonly TextEndpoint[] {
  const { name, likeModel, endpoints } = model
  if (likeModel !== undefined) return []
  if (endpoints !== null) return endpoints
  const { provider } = splitModelName(name)
  if (isVideoModel(model)) return []
  return RESPONSES_PROVIDERS.includes(provider) ? ['messages', 'responses'] : ['messages']
}

/** Whether a model is meant to make videos; whether it can, `videoModelOf` says. */
export function isVideoModel({ name, likeModel }: Pick<Model, 'name' | 'likeModel'>): boolean {
  return likeModel !== undefined || FAMILY_PROVIDERS.has(splitModelName(name).provider)
}
