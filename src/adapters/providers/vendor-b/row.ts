import type { AnyProvider } from '../../../config/providers/provider.ts'
import type { ConfigFields } from '../../../config/read-fields.ts'
import { Secret } from '../../../config/secret.ts'
import { httpUrl } from '../../../config/settings/kinds/http-url.ts'
import { readMappingFields } from '../../../config/yaml/mapping.ts'
import { type ProviderSection, refuseKeysBeside } from '../../../config/yaml/section.ts'
import type { Driver } from '../driver.ts'
import { apiKey, executionExpiresAfter, executionExpiresMin } from '../shared-fields.ts'

export const VENDOR_B_FIELDS = {
  base_url: { kind: httpUrl, required: true, meaning: 'The address of its API, without `/api/v1`.' },
  api_key: apiKey,
  execution_expires_after: executionExpiresAfter,
  execution_expires_min: executionExpiresMin,
} satisfies ConfigFields

export const vendorB: Driver<VendorBProvider> = {
  reference: ['Video.', VENDOR_B_FIELDS],
  read: readVendorB,
  // Reading a task that does not exist costs nothing.
  probes: ({ name }) => [
    {
      name: `provider ${name}`,
      method: 'GET',
      path: '/api/v1/video/text2video/task/doctor',
      headers: {},
      // Only a create call, which may be charged, has the key.
      showsKey: false,
      keySetting: 'api_key',
      isOwn404: (body) => Object(body).code !== undefined || Object(body).status !== undefined,
    },
  ],
  sandbox: (url) => [
    { name: 'vendorB', driver: 'vendor-b', baseUrl: `${url}/vendor-b`, apiKey: new Secret('sandbox') },
  ],
  video: {
    family: 'b',
    async open({ apiKey, executionExpiresAfterSeconds, executionExpiresMinSeconds }, { upstream }) {
      const { vendorBDriver } = await import('./driver.ts')
      return {
        driver: vendorBDriver({ upstream, apiKey: () => apiKey.reveal() }),
        expiresAfterSeconds: executionExpiresAfterSeconds,
        expiresMinSeconds: executionExpiresMinSeconds,
      }
    },
  },
}

export interface VendorBProvider extends AnyProvider {
  driver: 'vendor-b'
  apiKey: Secret
  /** Default deadline of a task; undefined: two days. */
  executionExpiresAfterSeconds?: number
  /** Minimum deadline that a client may request; undefined: no minimum. */
  executionExpiresMinSeconds?: number | undefined
}

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
