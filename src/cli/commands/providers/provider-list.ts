import type { ProviderView } from '../../../app/providers/provider-view.ts'
import { plainProviderJson } from '../../../app/views/installation.ts'
import { formatTable } from '../../present/format-table.ts'
import type { Verb } from '../../verb.ts'

export const providerList: Verb = {
  path: 'provider list',
  usage: '[--json]',
  summary:
    'List the providers of sluice.yaml and of the store: where they are, what they speak and which models they serve.',
  example: 'sluice provider list',
  next: 'sluice provider test <name>',
  json: true,
  define(command, { services, print }) {
    command.action(async () => {
      const providers = await services.listProviders(services.loadConfig())
      print({
        json: providers.map(plainProviderJson),
        text: formatTable(providers.map(providerRow), {
          none: 'There is no provider. "sluice provider add" adds one, and "sluice init" writes sluice.yaml; without any the sandbox vendors answer.',
        }),
      })
    })
  },
}

export function providerRow(provider: ProviderView): Record<string, string> {
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
