import type { TextEndpoint } from '@sluice/dialects/dialect-facts'
import { createChooseRoute, type TextRoute } from '../../src/app/text/route/choose-route.ts'
import { createModelRates } from '../../src/app/text/route/model-rates.ts'
import type { PricedModel } from '../../src/domain/catalog/model.ts'
import type { TextProvider } from '../../src/ports/text-provider.ts'

/** Route of a model to this provider, as a gateway chooses it that has only this provider. */
export function routeTo(
  provider: TextProvider,
  { model, endpoint }: { model: PricedModel | undefined; endpoint: TextEndpoint },
): TextRoute {
  const chooseRoute = createChooseRoute({
    prices: { offeredNames: () => [], findTarget: () => undefined },
    findProvider: () => provider,
    rates: createModelRates(),
    draw: () => 0,
  })
  const name = model?.name ?? ''
  const asked = { endpoint, name, organizationId: 'org_1', operation: 'create', isStream: false } as const
  return chooseRoute(model, { ...asked, triedTargets: 0 })
}
