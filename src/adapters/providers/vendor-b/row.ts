import { Secret } from '../../../config/secret.ts'
import type { Driver } from '../driver.ts'
import { readVendorB, VENDOR_B_FIELDS, type VendorBProvider } from './settings.ts'

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
      // Only a create call carries the key, and a create call may be charged.
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
