import type { AnyProvider } from '../../../config/providers/provider.ts'
import type { ConfigFields } from '../../../config/read-fields.ts'
import type { Secret } from '../../../config/secret.ts'
import { httpUrl } from '../../../config/settings/kinds/http-url.ts'
import { readMappingFields } from '../../../config/yaml/mapping.ts'
import { type ProviderSection, refuseKeysBeside } from '../../../config/yaml/section.ts'
import { apiKey } from '../shared-fields.ts'

export interface VendorXProvider extends AnyProvider {
  driver: 'vendor-x'
  apiKey: Secret
}

export const VENDOR_X_FIELDS = {
  base_url: { kind: httpUrl, required: true, meaning: 'The address of its API, without `/jobs`.' },
  api_key: apiKey,
} satisfies ConfigFields

export function readVendorX({ name, ...section }: ProviderSection): VendorXProvider | undefined {
  const known = refuseKeysBeside(VENDOR_X_FIELDS, [], section)
  const fields = readMappingFields(VENDOR_X_FIELDS, section)
  if (!known || fields === undefined) return undefined
  return { driver: 'vendor-x', name, baseUrl: fields.base_url, apiKey: fields.api_key }
}
