import type { AnyProvider } from '../../../config/providers/provider.ts'
import type { ConfigFields } from '../../../config/read-fields.ts'
import type { Secret } from '../../../config/secret.ts'
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
import { apiKey, executionExpiresAfter, executionExpiresMin } from '../shared-fields.ts'

export interface VendorAProvider extends AnyProvider {
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

export interface AssetSettings {
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

export const VENDOR_A_FIELDS = {
  base_url: { kind: httpUrl, required: true, meaning: 'The address of its API, ending in `/api/v3`.' },
  api_key: apiKey,
  execution_expires_after: executionExpiresAfter,
  execution_expires_min: executionExpiresMin,
} satisfies ConfigFields

export const ASSET_FIELDS = {
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

export function readVendorA({ name, ...section }: ProviderSection): VendorAProvider | undefined {
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
