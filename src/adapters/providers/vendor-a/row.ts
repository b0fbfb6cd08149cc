import { Secret } from '../../../config/secret.ts'
import { splitModelName } from '../../../domain/catalog/model.ts'
import { FAMILIES } from '../../../domain/video/families/families.ts'
import type { Driver } from '../driver.ts'
import { ASSET_FIELDS, readVendorA, VENDOR_A_FIELDS, type VendorAProvider } from './settings.ts'

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
