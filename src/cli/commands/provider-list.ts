import type { Config } from '../../compose/config.ts'
import { formatTable } from '../present/format-table.ts'
import type { Verb } from '../verb.ts'

export const providerList: Verb = {
  path: 'provider list',
  usage: '[--json]',
  summary: 'List the providers of sluice.yaml: where they are, what they speak and which models they serve.',
  example: 'sluice provider list',
  next: 'sluice provider test <name>',
  json: true,
  define(command, { services, print }) {
    command.action(() => {
      const { providers } = services.loadConfig()
      print({
        json: providers.map(providerJson),
        text: formatTable(providers.map(providerRow), {
          none: 'There is no provider in sluice.yaml. "sluice init" writes one; without any the sandbox vendors answer.',
        }),
      })
    })
  },
}

type ListedProvider = Config['providers'][number]

function modelsOf({ models }: ListedProvider): string[] | null {
  return models === undefined ? null : [...models.keys()]
}

function providerJson(provider: ListedProvider) {
  const { name, driver, baseUrl, organizationId } = provider
  return {
    name,
    driver,
    base_url: baseUrl,
    organization_id: organizationId ?? null,
    models: modelsOf(provider),
  }
}

function providerRow(provider: ListedProvider): Record<string, string> {
  const { name, driver, baseUrl, organizationId } = provider
  return {
    NAME: name,
    DRIVER: driver,
    ADDRESS: baseUrl,
    ORGANIZATION: organizationId ?? 'all',
    MODELS: modelsOf(provider)?.join(' ') ?? 'those of its family',
  }
}
