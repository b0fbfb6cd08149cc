import type { App } from '../../../src/app/app.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { PricedModel } from '../../../src/domain/catalog/model.ts'
import { videoModelOf } from '../../../src/domain/video/families/families.ts'
import type { TaskView } from '../../../src/domain/video/task-view.ts'
import type { ProviderHealth } from '../../../src/ports/installation.ts'
import { CALLER } from '../../caller.ts'

export const KEY = 'sk-sluice-of-the-test'
export const ADMIN_KEY = 'admin-key-of-the-test'

export const MODELS: readonly PricedModel[] = [
  {
    modelId: 1,
    name: 'vendorA/gen-2.0',
    endpoints: null,
    maxOutputTokens: null,
    createdAtMs: 1_700_000_000_999,
    prices: [
      {
        unit: 'video_token',
        resolution: '1080p',
        videoInput: true,
        audio: null,
        priceMicros: micros(4_700_000),
      },
    ],
  },
  {
    modelId: 7,
    name: 'vendorC/model-4.1',
    endpoints: ['messages'],
    maxOutputTokens: 32_768,
    contextTokens: 1_047_576,
    createdAtMs: 0,
    prices: [
      { unit: 'input_token', resolution: null, videoInput: null, audio: null, priceMicros: micros(400_000) },
      {
        unit: 'web_search_call',
        resolution: null,
        videoInput: null,
        audio: null,
        priceMicros: micros(10_000),
      },
      { unit: 'flex_tier', resolution: null, videoInput: null, audio: null, priceMicros: micros(500_000) },
    ],
  },
]

const NEW_TASK: TaskView = {
  id: 'task_1',
  model: '',
  servedModel: '',
  status: 'queued',
  createdAtMs: 1_700_000_000_000,
  updatedAtMs: null,
  completedAtMs: null,
  deletedAtMs: null,
  content: null,
  error: null,
  metadata: '{}',
  owesCallback: false,
}

const CONSENT = { organizationName: 'Acme', verifiedAtMs: 0 }
const REVOKED = { ...CONSENT, kind: 'revoked', revokedAtMs: 0, isNew: false } as const

const NO_HEALTH: ProviderHealth = {
  ...{ breaker: 'closed', breakers: [], keysResting: 0 },
  ...{ calls: 0, errors: 0, refusals: 0, lastError: null },
}

/** The use cases as plain objects: one key, two models, no task. */
export function memoryApp(replaced: Partial<App> = {}): App {
  return {
    async authenticate(presentedKey) {
      if (presentedKey !== KEY) throw new ApiError('invalid_api_key')
      return CALLER
    },
    checkRate: () => undefined,
    findOperator: async () => undefined,
    sessions: undefined,
    openId: undefined,
    oncePerKey: (_request, run) => run('adm_1'),
    listenToRequests: () => () => {},
    operatorFor: () => {
      throw new ApiError('not_found')
    },
    placeUpload: undefined,
    findContent: {
      ofTask: () => Promise.reject(new ApiError('task_not_found')),
      ofOwnTask: () => Promise.reject(new ApiError('task_not_found')),
      ofLink: () => Promise.reject(new ApiError('not_found')),
      ofAsset: () => Promise.reject(new ApiError('asset_not_found')),
    },
    installation: {
      listSettings: () => [],
      healthOf: () => NO_HEALTH,
      listHealth: () => [],
      listPresets: () => [],
      listVendorModels: async () => [],
      whyUnservable: () => undefined,
      testProvider: async () => [],
      runDoctor: async () => [],
    },
    proveGateway: () => undefined,
    checkReadiness: async () => ({ store: 'up', cache: 'up', problems: [], warnings: [] }),
    listModels: async () => MODELS,
    findVideoModel: (name) => videoModelOf({ name }),
    answerText: () => Promise.reject(new ApiError('model_not_found')),
    createEmbeddings: () => Promise.reject(new ApiError('model_not_found')),
    countTokens: async () => 0,
    readHeavyBody: () => Promise.reject(new ApiError('invalid_json')),
    readHeavyEmbeddings: () => Promise.reject(new ApiError('invalid_json')),
    getResponse: () => Promise.reject(new ApiError('not_found')),
    readResponse: () => Promise.reject(new ApiError('not_found')),
    cancelResponse: () => Promise.reject(new ApiError('not_found')),
    deleteResponse: () => Promise.reject(new ApiError('not_found')),
    createTask: async ({ request: { model, metadata } }) => ({ ...NEW_TASK, model, metadata }),
    quoteTask: () => Promise.reject(new ApiError('model_not_found')),
    getTask: () => Promise.reject(new ApiError('task_not_found')),
    deleteTask: () => Promise.reject(new ApiError('task_not_found')),
    createAsset: async () => ({ id: 'asset_1' }),
    getAsset: () => Promise.reject(new ApiError('asset_not_found')),
    listAssets: async () => ({ assets: [], totalCount: 0 }),
    startVerification: async () => ({ link: 'https://vendor.example/verify' }),
    returnFromVerification: async () => ({ kind: 'redirect', url: 'https://client.example/' }),
    consents: { show: async () => REVOKED, revoke: async () => REVOKED },
    isAllowedUrl: () => true,
    getProvenance: () => Promise.reject(new ApiError('task_not_found')),
    findProvenance: async () => ({ made: false }),
    getTaskReceipt: () => Promise.reject(new ApiError('task_not_found')),
    getTextReceipt: () => Promise.reject(new ApiError('not_found')),
    listReceiptKeys: async () => ({ keys: [] }),
    sumUsage: async () => ({ sums: [], nextCursor: undefined }),
    showBalance: () => Promise.reject(new ApiError('not_found')),
    detailTask: async (task) => ({ ...task, unit: 'video_token', order: {}, completionTokens: undefined }),
    listDetailedTasks: async () => ({ tasks: [], hasMore: false }),
    countTasks: async () => 0,
    listCallbacks: async () => ({ callbacks: [], nextCursor: undefined }),
    resendOwnCallback: () => Promise.reject(new ApiError('not_found')),
    listTasks: async () => ({ tasks: [], nextCursor: undefined }),
    isNoticeToken: () => true,
    takeNotice() {},
    quotaSync: { async organization() {}, async user() {}, async modelPrice() {} },
    ...replaced,
  }
}
