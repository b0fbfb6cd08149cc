import type { Store } from '../../ports/store.ts'
import type { Engine } from './engine.ts'
import { finishBeforeClose } from './finish-before-close.ts'

/** The port in the engine's words: one line per method. */
export function storeOn(bareEngine: Engine): Store {
  const engine = finishBeforeClose(bareEngine)
  return {
    organizations: {
      create: (organization) => engine.write('createOrganization', organization),
      list: () => engine.read('listOrganizations', {}),
      find: (id) => engine.read('findOrganization', { id }),
      findWebhookSecrets: (id) => engine.read('findWebhookSecrets', { id }),
      rotateWebhookSecret: (change) => engine.write('rotateWebhookSecret', change),
      createFirst: (first) => engine.write('createFirst', first),
    },
    users: {
      create: (user) => engine.write('createUser', user),
      list: (organizationId) => engine.read('listUsers', { organizationId }),
      find: (id) => engine.read('findUser', { id }),
      setLimit: (change) => engine.write('setUserLimit', change),
    },
    apiKeys: {
      create: (apiKey) => engine.write('createApiKey', apiKey),
      list: (organizationId) => engine.read('listApiKeys', { organizationId }),
      revoke: (change) => engine.write('revokeApiKey', change),
      findCaller: (digest) => engine.read('findCaller', { digest }),
    },
    models: {
      list: () => engine.read('listModels', {}),
      fillWhenEmpty: (models) => engine.write('fillModelsWhenEmpty', { models }),
    },
    tasks: {
      list: (query) => engine.read('listTasks', query),
    },
    ping: () => engine.ping(),
    close: () => engine.close(),
  }
}
