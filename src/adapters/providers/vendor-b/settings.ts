import type { AnyProvider } from '../../../config/providers/provider.ts'
import type { ConfigFields } from '../../../config/read-fields.ts'
import type { Secret } from '../../../config/secret.ts'
import { httpUrl } from '../../../config/settings/kinds/http-url.ts'
import { readMappingFields } from '../../../config/yaml/mapping.ts'
import { type ProviderSection, refuseKeysBeside } from '../../../config/yaml/section.ts'
import { apiKey, executionExpiresAfter, executionExpiresMin } from '../shared-fields.ts'

export interface VendorBProvider extends AnyProvider {
  driver: 'vendor-b'
  apiKey: Secret
  /** Default deadline; undefined: two days. */
  executionExpiresAfterSeconds?: number
  /** Minimum deadline that a client may request; undefined: any. */
  executionExpiresMinSeconds?: number | undefined
}

export const VENDOR_B_FIELDS = {
  base_url: { kind: httpUrl, required: true, meaning: 'The address of its API, without `/api/v1`.' },
  api_key: apiKey,
  execution_expires_after: executionExpiresAfter,
  execution_expires_min: executionExpiresMin,
} satisfies ConfigFields

export function readVendorB({ name, ...section }: ProviderSection): VendorBProvider | undefined {
  const known = refuseKeysBeside(VENDOR_B_FIELDS, [], section)
  const fields = readMappingFields(VENDOR_B_FIELDS, section)
  if (!known || fields === undefined) return undefined
  return {
    driver: 'vendor-b',
    name,
    baseUrl: fields.base_url,
    apiKey: fields.api_key,
    executionExpiresAfterSeconds: fields.execution_expires_after,
    executionExpiresMinSeconds: fields.execution_expires_min,
  }
}
