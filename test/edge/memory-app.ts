import type { App } from '../../src/app/app.ts'
import type { Caller } from '../../src/domain/access/caller.ts'
import type { Model } from '../../src/domain/catalog/model.ts'
import { Refusal } from '../../src/domain/errors.ts'

export const KEY = 'sk-sluice-of-the-test'
export const ADMIN_KEY = 'admin-key-of-the-test'

export const CALLER: Caller = {
  keyId: 'key_1',
  organizationId: 'org_1',
  userId: 'usr_1',
  keyRequestsPerMinute: null,
  organizationRequestsPerMinute: null,
}

export const MODELS: readonly Model[] = [
  {
    modelId: 1,
    name: 'vendorA/gen-2.0',
    endpoints: null,
    maxOutputTokens: null,
    createdAtMs: 1_700_000_000_999,
  },
  { modelId: 7, name: 'vendorC/model-4.1', endpoints: ['messages'], maxOutputTokens: 32_768, createdAtMs: 0 },
]

/** The use cases as plain objects: one key, two models, no task. */
export function memoryApp(replaced: Partial<App> = {}): App {
  return {
    async authenticate(presentedKey) {
      if (presentedKey !== KEY) throw new Refusal('invalid_api_key')
      return CALLER
    },
    checkRate: () => undefined,
    checkReadiness: async () => ({ store: 'up', cache: 'up' }),
    listModels: async () => MODELS,
    listTasks: async () => ({ tasks: [], nextCursor: undefined }),
    quotaSync: { async organization() {}, async user() {}, async modelPrice() {} },
    ...replaced,
  }
}
