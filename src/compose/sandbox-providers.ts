import type { Provider, TextModel } from '../config/providers/provider.ts'
import { Secret } from '../config/secret.ts'
import type { Dialect } from '../domain/catalog/dialect.ts'

/** Where no provider is configured, the sandbox's vendors take their names. */
export function sandboxProviders(sandboxUrl: string): Provider[] {
  const apiKey = new Secret('sandbox')
  const keys = [{ key: apiKey, weight: 1 }]
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
    {
      ...{ name: 'vendorC', driver: 'text', baseUrl: `${sandboxUrl}/text`, keys },
      versionHeader: 'compat-version',
      models: new Map([
        textModel('model-5.3-codex', 'responses'),
        textModel('model-4.1', 'chat'),
        textModel('model-4.1-mini', 'chat'),
        textModel('model-o3', 'responses'),
        textModel('model-o4-mini', 'responses'),
      ]),
    },
    {
      ...{ name: 'vendorD', driver: 'text', baseUrl: `${sandboxUrl}/text`, keys },
      versionHeader: 'compat-version',
      models: new Map([textModel('text-large', 'messages'), textModel('text-small', 'messages')]),
    },
  ]
}

function textModel(name: string, dialect: Dialect): [string, TextModel] {
  return [name, { dialect, upstream: name, countsTokens: dialect === 'messages', reasons: true }]
}
