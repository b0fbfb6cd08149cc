import { plainProviderJson } from '../../../app/views/installation.ts'
import { formatTable } from '../../present/format-table.ts'
import type { Verb } from '../../verb.ts'
import { providerRow } from './provider-list.ts'

export const providerShow: Verb = {
  path: 'provider show',
  usage: '<name> [--json]',
  summary: 'Show a provider with its settings; of its keys only the last four characters.',
  example: 'sluice provider show openai',
  next: 'sluice provider test <name>',
  json: true,
  define(command, { operate, print }) {
    command.argument('<name>', 'the provider').action((name: string) =>
      operate(async (operator) => {
        const provider = await operator.showProvider(name)
        const { settings, keyHints } = provider
        const lines = [
          formatTable([providerRow(provider)], { none: '' }),
          `Keys end with: ${keyHints.length === 0 ? 'none' : keyHints.join(', ')}`,
          ...(settings === null ? [] : [JSON.stringify(settings, undefined, 2)]),
        ]
        print({ json: plainProviderJson(provider), text: lines.join('\n') })
      }),
    )
  },
}

export const providerDisable: Verb = {
  path: 'provider disable',
  usage: '<name> [--json]',
  summary:
    'Take a provider of the store out of service: within 5 seconds its models get 503. Open video tasks still end.',
  example: 'sluice provider disable openai',
  next: 'sluice provider enable <name>',
  json: true,
  define(command, { operate, print }) {
    command.argument('<name>', 'the provider').action((name: string) =>
      operate(async (operator) => {
        const provider = await operator.updateProvider({ name, members: {}, state: 'disabled' })
        const text = `The provider ${name} is disabled. Its models get 503 everywhere within 5 seconds.`
        print({ json: plainProviderJson(provider), text })
      }),
    )
  },
}

export const providerEnable: Verb = {
  path: 'provider enable',
  usage: '<name> [--json]',
  summary: 'Let a disabled provider serve again.',
  example: 'sluice provider enable openai',
  next: 'sluice provider test <name>',
  json: true,
  define(command, { operate, print }) {
    command.argument('<name>', 'the provider').action((name: string) =>
      operate(async (operator) => {
        const provider = await operator.updateProvider({ name, members: {}, state: 'active' })
        const text = `The provider ${name} is enabled. Its models are served within 5 seconds.`
        print({ json: plainProviderJson(provider), text })
      }),
    )
  },
}

export const providerRemove: Verb = {
  path: 'provider remove',
  usage: '<name> [--json]',
  summary: 'Remove a provider of the store with its keys. It is refused while video tasks of it are open.',
  example: 'sluice provider remove openai',
  next: 'sluice provider list',
  json: true,
  define(command, { operate, print }) {
    command.argument('<name>', 'the provider').action((name: string) =>
      operate(async (operator) => {
        const provider = await operator.removeProvider(name)
        const text = `The provider ${name} is removed. Its models get 503 everywhere within 5 seconds.`
        print({ json: plainProviderJson(provider), text })
      }),
    )
  },
}
