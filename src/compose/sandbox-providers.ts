import type { Provider } from '../config/providers/provider.ts'
import { Secret } from '../config/secret.ts'

/** Where no provider is configured, the sandbox's vendors take their names. */
export function sandboxProviders(sandboxUrl: string): Provider[] {
  const apiKey = new Secret('sandbox')
  return [
    {
      name: 'vendorA',
      driver: 'vendor-a',
      baseUrl: `${sandboxUrl}/vendor-a/api/v3`,
      apiKey,
      models: new Map(['gen-2.0', 'gen-2.0-fast'].map((name) => [name, name])),
      executionExpiresAfterSeconds: 172_800,
      assets: {
        endpoint: `${sandboxUrl}/vendor-a-assets`,
        accessKey: apiKey,
        secretKey: new Secret('sandbox-secret'),
        region: 'sandbox',
        service: 'assets',
        project: 'default',
        tokenField: 'VerifyToken',
      },
    },
    { name: 'vendorB', driver: 'vendor-b', baseUrl: `${sandboxUrl}/vendor-b`, apiKey },
  ]
}
