import { FAMILY_PROVIDERS } from '../video/families/families.ts'
import { type Model, splitModelName, type TextEndpoint } from './model.ts'

/** Providers whose models are offered as responses too, unless their row says otherwise. */
const RESPONSES_PROVIDERS: readonly string[] = ['vendorC']

/** Where a model is offered: what its row says, else every text model as messages and vendorC's as responses too. */
export function endpointsOf({ name, endpoints }: Pick<Model, 'name' | 'endpoints'>): readonly TextEndpoint[] {
  if (endpoints !== null) return endpoints
  const { provider } = splitModelName(name)
  if (isVideoProvider(provider)) return []
  return RESPONSES_PROVIDERS.includes(provider) ? ['messages', 'responses'] : ['messages']
}

export function isVideoProvider(provider: string): boolean {
  return FAMILY_PROVIDERS.has(provider)
}
