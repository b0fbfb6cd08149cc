import type { ProviderView } from '../../../app/providers/provider-view.ts'
import { PROVIDER } from '../../../app/views/installation.ts'
import { formatTable } from '../../present/format-table.ts'
import type { Verb } from '../../verb.ts'
import { forOne, listing } from '../define-verb.ts'

export const providerList: Verb = {
  path: 'provider list',
  summary:
    'List the providers of sluice.yaml and of the store: where they are, what they speak and which models they serve.',
  example: 'sluice provider list',
  next: 'sluice provider test <name>',
  define(command, { services, print }) {
    command.action(async () => {
      const none =
        'There is no provider. "sluice provider add" adds one, and "sluice init" writes sluice.yaml; without any the sandbox vendors answer.'
      const providers = await services.listProviders(services.loadConfig())
      print(listing(providers, { json: PROVIDER.present, cells: providerRow, none }))
    })
  },
}

function providerRow(provider: ProviderView): Record<string, string> {
  return {
    NAME: provider.name,
    DRIVER: provider.driver,
    FROM: provider.source === 'file' ? 'sluice.yaml' : 'store',
    STATE: provider.state,
    ADDRESS: provider.baseUrl,
    ORGANIZATION: provider.organizationId ?? 'all',
    MODELS: provider.models?.join(' ') ?? 'those of its family',
  }
}

export const providerShow: Verb = {
  path: 'provider show',
  summary: 'Show a provider with its settings; of its keys only the last four characters.',
  example: 'sluice provider show openai',
  next: 'sluice provider test <name>',
  define: forOne('<name>', 'the provider', async (operator, name) => {
    const provider = await operator.showProvider(name)
    const { settings, keyHints } = provider
    const lines = [
      formatTable([providerRow(provider)], { none: '' }),
      `Keys end with: ${keyHints.length === 0 ? 'none' : keyHints.join(', ')}`,
      ...(settings === null ? [] : [JSON.stringify(settings, undefined, 2)]),
    ]
    return { json: PROVIDER.present(provider), text: lines.join('\n') }
  }),
}

export const providerDisable: Verb = {
  path: 'provider disable',
  summary:
    'Take a provider of the store out of service: within 5 seconds its models get 503. Open video tasks still end.',
  example: 'sluice provider disable openai',
  next: 'sluice provider enable <name>',
  define: forOne('<name>', 'the provider', async (operator, name) => {
    const provider = await operator.updateProvider({ name, members: {}, state: 'disabled' })
    const text = `The provider ${name} is disabled. Its models get 503 everywhere within 5 seconds.`
    return { json: PROVIDER.present(provider), text }
  }),
}

export const providerEnable: Verb = {
  path: 'provider enable',
  summary: 'Let a disabled provider serve again.',
  example: 'sluice provider enable openai',
  next: 'sluice provider test <name>',
  define: forOne('<name>', 'the provider', async (operator, name) => {
    const provider = await operator.updateProvider({ name, members: {}, state: 'active' })
    const text = `The provider ${name} is enabled. Its models are served within 5 seconds.`
    return { json: PROVIDER.present(provider), text }
  }),
}

export const providerRemove: Verb = {
  path: 'provider remove',
  summary:
    'Remove a provider of the store with its keys. It is refused while it has open video tasks, or assets to process or delete.',
  example: 'sluice provider remove openai',
  next: 'sluice provider list',
  define: forOne('<name>', 'the provider', async (operator, name) => {
    const provider = await operator.removeProvider(name)
    const text = `The provider ${name} is removed. Its models get 503 everywhere within 5 seconds.`
    return { json: PROVIDER.present(provider), text }
  }),
}
