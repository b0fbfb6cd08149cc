import type { VideoApi } from './start-video-api.ts'

/** Gives models of the built-in catalog their stand-ins. */
export async function setStandIns(
  { store, forgetPrices }: Pick<VideoApi, 'store' | 'forgetPrices'>,
  standIns: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const models = await store.models.list()
  const changes = models
    .filter(({ name }) => name in standIns)
    .map((model) => ({ model: { ...model, standIns: standIns[model.name] ?? [] }, prices: undefined }))
  await store.models.apply(changes, {
    ...{ id: 'aud_stand_ins', atMs: 0, actor: 'cli', action: 'test', organizationId: null, subject: '' },
    detail: {},
  })
  forgetPrices()
}
