import type { AnyProvider } from '../../../config/providers/provider.ts'
import type { ConfigFields } from '../../../config/read-fields.ts'
import { Secret } from '../../../config/secret.ts'
import { httpUrl } from '../../../config/settings/kinds/http-url.ts'
import { oneOf, secretText, text } from '../../../config/settings/kinds/text.ts'
import { readMappingFields, type YamlSection } from '../../../config/yaml/mapping.ts'
import {
  below,
  type ModelEntry,
  type ProviderSection,
  readModels,
  refuseKeysBeside,
} from '../../../config/yaml/section.ts'
import { splitModelName } from '../../../domain/catalog/model.ts'
import { FAMILIES } from '../../../domain/video/families/families.ts'
import type { Driver } from '../driver.ts'
import { apiKey, executionExpiresAfter, executionExpiresMin } from '../shared-fields.ts'

interface VendorAProvider extends AnyProvider {
  driver: 'vendor-a'
  apiKey: Secret
  /** Vendor's model ids, by the names that clients use. */
  models: ReadonlyMap<string, string>
  executionExpiresAfterSeconds: number
  /** Minimum deadline that a client may request; undefined: no minimum. */
  executionExpiresMinSeconds?: number | undefined
  /** undefined: the provider has no assets and no verified persons. */
  assets: AssetSettings | undefined
}

interface AssetSettings {
  endpoint: string
  accessKey: Secret
  secretKey: Secret
  region: string
  service: string
  project: string
  tokenField: string
  /** Whether the service has DeleteAsset and DeleteAssetGroup. */
  canDelete: boolean
}

const VENDOR_A_FIELDS = {
  base_url: { kind: httpUrl, required: true, meaning: 'The address of its API, ending in `/api/v3`.' },
  api_key: apiKey,
  execution_expires_after: executionExpiresAfter,
  execution_expires_min: executionExpiresMin,
} satisfies ConfigFields

const ASSET_FIELDS = {
  endpoint: { kind: httpUrl, required: true, meaning: 'The address of the asset service.' },
  access_key: {
    kind: secretText({ min: 1, inHeader: true }),
    required: true,
    meaning: 'The access key that requests are signed with.',
  },
  secret_key: {
    kind: secretText({ min: 1, inHeader: false }),
    required: true,
    meaning: 'The secret that belongs to the access key. It never leaves the process.',
  },
  region: { kind: text({ takes: 'a name' }), required: true, meaning: 'The region named in the signature.' },
  service: {
    kind: text({ takes: 'a name' }),
    required: true,
    meaning: 'The service named in the signature.',
  },
  project: {
    kind: text({ takes: 'a name' }),
    default: 'default',
    meaning: 'The project that owns the assets.',
  },
  token_field: {
    kind: text({ takes: 'a name' }),
    default: 'VerifyToken',
    meaning: 'The name of the field that carries the token of a verification.',
  },
  can_delete: {
    kind: oneOf(['true', 'false']),
    default: 'false',
    meaning:
      'Whether the service has `DeleteAsset` and `DeleteAssetGroup`. `true`: the gateway asks it to delete copies of erased data; `false`: the report of the erasure lists them.',
  },
} satisfies ConfigFields

function readVendorA({ name, ...section }: ProviderSection): VendorAProvider | undefined {
  const known = refuseKeysBeside(VENDOR_A_FIELDS, ['models', 'assets'], section)
  const fields = readMappingFields(VENDOR_A_FIELDS, section)
  const models = readModels(section, readUpstreamId)
  const assets = section.mapping.has('assets') ? readAssets(below(section, 'assets')) : 'none'
  if (!known || fields === undefined || models === undefined || assets === undefined) return undefined
  return {
    driver: 'vendor-a',
    name,
    baseUrl: fields.base_url,
    apiKey: fields.api_key,
    models,
    executionExpiresAfterSeconds: fields.execution_expires_after,
    executionExpiresMinSeconds: fields.execution_expires_min,
    assets: assets === 'none' ? undefined : assets,
  }
}

const UPSTREAM_ID = {
  kind: text({ takes: "the vendor's own id of the model" }),
  required: true,
  meaning: '',
} as const

function readUpstreamId({ model, models }: ModelEntry): string | undefined {
  return readMappingFields({ [model]: UPSTREAM_ID }, models)?.[model]
}

function readAssets(section: YamlSection | undefined): AssetSettings | undefined {
  if (section === undefined) return undefined
  const known = refuseKeysBeside(ASSET_FIELDS, [], section)
  const fields = readMappingFields(ASSET_FIELDS, section)
  if (!known || fields === undefined) return undefined
  const {
    access_key: accessKey,
    secret_key: secretKey,
    token_field: tokenField,
    can_delete: canDelete,
    ...rest
  } = fields
  return { ...rest, accessKey, secretKey, tokenField, canDelete: canDelete === 'true' }
}

export const vendorA: Driver<VendorAProvider> = {
  reference: [
    'Video, and assets with verified persons if `assets` is given.',
    VENDOR_A_FIELDS,
    "`models` (required) maps model names to the vendor's own ids: `models: { gen-2.0: upstream-id }`.",
    '`assets` (optional) is a mapping of its own:',
    ASSET_FIELDS,
  ],
  read: readVendorA,
  // Reading a task that does not exist costs nothing.
  probes: ({ name, apiKey }) => [
    {
      name: `provider ${name}`,
      method: 'GET',
      path: '/contents/generations/tasks/cgt-doctor',
      headers: { authorization: `Bearer ${apiKey.reveal()}` },
      showsKey: true,
      keySetting: 'api_key',
      isOwn404: (body) => typeof Object(Object(body).error).code === 'string',
    },
  ],
  sandbox: (url) => [
    {
      name: 'vendorA',
      driver: 'vendor-a',
      baseUrl: `${url}/vendor-a/api/v3`,
      apiKey: new Secret('sandbox'),
      models: new Map(OWN_MODELS.map((name) => [name, name])),
      executionExpiresAfterSeconds: 172_800,
      assets: {
        endpoint: `${url}/vendor-a-assets`,
        accessKey: new Secret('sandbox'),
        secretKey: new Secret('sandbox-secret'),
        region: 'sandbox',
        service: 'assets',
        project: 'default',
        tokenField: 'VerifyToken',
        canDelete: true,
      },
    },
  ],
  video: {
    family: 'a',
    async open({ apiKey, models, executionExpiresAfterSeconds, executionExpiresMinSeconds }, { upstream }) {
      const { vendorADriver } = await import('./driver.ts')
      return {
        driver: vendorADriver({ upstream, apiKey: () => apiKey.reveal(), models }),
        expiresAfterSeconds: executionExpiresAfterSeconds,
        expiresMinSeconds: executionExpiresMinSeconds,
      }
    },
  },
  assets: {
    endpointOf: ({ assets }) => assets?.endpoint,
    canDelete: ({ assets }) => assets?.canDelete === true,
    async open({ name, assets }, parts) {
      if (assets === undefined) throw new TypeError(`${name} is not configured for assets`)
      const { accessKey, secretKey, canDelete: _, ...access } = assets
      const { vendorAAssets } = await import('../vendor-a-assets/driver.ts')
      return vendorAAssets({
        ...access,
        ...parts,
        accessKey: () => accessKey.reveal(),
        secretKey: () => secretKey.reveal(),
      })
    },
  },
}

const OWN_MODELS = [...FAMILIES.a.models.keys()].map((name) => splitModelName(name).model)
