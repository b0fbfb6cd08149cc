import type { Model } from '../../../src/domain/catalog/model.ts'
import type { VideoApi } from './start-video-api.ts'

/** Changes models of the built-in catalog; their prices stay. */
export async function setTerms(
  { store, forgetPrices }: Pick<VideoApi, 'store' | 'forgetPrices'>,
  terms: Readonly<Record<string, Partial<Model>>>,
): Promise<void> {
  const models = await store.models.list()
  const changes = models
    .filter(({ name }) => name in terms)
    .map((model) => ({ model: { ...model, ...terms[model.name] }, prices: undefined }))
  await store.models.apply(changes, {
    ...{ id: `aud_${Math.random()}`, atMs: 0, actor: 'cli', action: 'test' },
    ...{ organizationId: null, subject: '', detail: {} },
  })
  forgetPrices()
}
