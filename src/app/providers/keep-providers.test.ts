import { expect, test } from 'vitest'
import type { ProviderStore, ProviderWork } from '../../ports/providers.ts'
import { type KeepProvidersTools, keepProviders } from './keep-providers.ts'

const NONE: ProviderWork = { tasks: 0, assets: 0, copies: 0 }

/** Removes a provider that still has this work. */
function remove(work: Partial<ProviderWork>) {
  const row = { id: 'prov_1', name: 'acme' }
  const providers: Partial<ProviderStore> = {
    list: async () => [row] as Awaited<ReturnType<ProviderStore['list']>>,
    remove: async () => ({ removed: false, work: { ...NONE, ...work } }),
  }
  const tools = { providers, listOthers: () => [], clock: { nowMs: () => 0 }, newId: () => 'aud_1' }
  return keepProviders(tools as unknown as KeepProvidersTools).removeProvider('acme')
}

test.each([
  [{ tasks: 1 }, 'it still has 1 open video task. Disable it, wait until that work is done, and try again.'],
  [
    { assets: 2 },
    'it still has 2 processing assets. Keep it enabled, wait until that work is done, and try again. To give that work up, disable it.',
  ],
  [
    { tasks: 2, assets: 1, copies: 3 },
    'it still has 2 open video tasks, 1 processing asset, 3 erased copies to delete at the vendor. Keep it enabled, wait until that work is done, and try again. To give that work up, disable it.',
  ],
])('a provider with %j is not removed', async (work, message) => {
  await expect(remove(work)).rejects.toMatchObject({
    code: 'provider_in_use',
    message: `The provider acme was not removed: ${message}`,
  })
})
