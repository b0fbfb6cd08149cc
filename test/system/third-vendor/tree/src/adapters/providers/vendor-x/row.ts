import { Secret } from '../../../config/secret.ts'
import type { Driver } from '../driver.ts'
import { readVendorX, VENDOR_X_FIELDS, type VendorXProvider } from './settings.ts'

export const vendorX: Driver<VendorXProvider> = {
  reference: ['Video of words alone.', VENDOR_X_FIELDS],
  read: readVendorX,
  probes: ({ name, apiKey }) => [
    {
      name: `provider ${name}`,
      method: 'GET',
      path: '/jobs/doctor',
      headers: { 'x-key': apiKey.reveal() },
      showsKey: true,
      keySetting: 'api_key',
      isOwn404: (body) => Object(body).job === null,
    },
  ],
  sandbox: (url) => [
    { name: 'vendorX', driver: 'vendor-x', baseUrl: `${url}/vendor-x`, apiKey: new Secret('sandbox') },
  ],
  video: {
    family: 'c',
    async open({ apiKey }, { upstream }) {
      const { vendorXDriver } = await import('./driver.ts')
      const driver = vendorXDriver({ upstream, apiKey: () => apiKey.reveal() })
      return { driver, expiresAfterSeconds: undefined, expiresMinSeconds: undefined }
    },
  },
}
