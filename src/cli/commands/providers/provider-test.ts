import type { Config } from '../../../compose/config.ts'
import type { VendorModel } from '../../../compose/diagnosis/list-vendor-models.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { closestName } from '../../../domain/closest-name.ts'
import { FailedChecks } from '../../errors.ts'
import { describeCheck } from '../../present/describe-check.ts'
import type { Services } from '../../services.ts'
import type { Verb } from '../../verb.ts'
import { listing } from '../define-verb.ts'

export const providerTest: Verb = {
  path: 'provider test',
  summary:
    'Ask a provider of sluice.yaml or of the store, or a sandbox vendor of the running gateway, and say what is wrong: its address, its key or a model. A text provider answers one short call for each model, which costs a fraction of a cent; a video provider is asked for a task that does not exist, and makes nothing.',
  example: 'sluice provider test openai',
  next: 'sluice doctor',
  define(command, { services, print }) {
    command
      .argument('<name>', 'the name of the provider, or of a sandbox vendor')
      .action(async (name: string) => {
        const config = services.loadConfig()
        const provider =
          (await services.findProvider(config, name)) ?? (await services.findSandboxVendor(config, name))
        if (provider === undefined) throw await unknownProvider(name, config, services)
        const checks = await services.testProvider(config, provider)
        const failed = checks.filter(({ ok }) => !ok)
        print({ json: { ok: failed.length === 0, checks }, text: checks.map(describeCheck).join('\n') })
        if (failed.length > 0) throw new FailedChecks(failed.length)
      })
  },
}

async function unknownProvider(name: string, config: Config, services: Services): Promise<ApiError> {
  const names = (await services.listProviders(config)).map((provider) => provider.name)
  const meant = closestName(name, names)
  const known =
    names.length === 0
      ? 'There is none: "sluice provider add" adds one, and "sluice init" writes sluice.yaml.'
      : `They are ${names.join(', ')}.`
  return new ApiError('not_found', {
    message: `There is no provider "${name}". ${meant === undefined ? known : `Did you mean ${meant}?`}`,
  })
}

export const providerModels: Verb = {
  path: 'provider models',
  summary: 'Ask a provider which models it has, and show which of them it serves here.',
  example: 'sluice provider models openai',
  next: 'sluice provider update <name> <file>   with the models to offer',
  define(command, { services, print }) {
    command.argument('<name>', 'the provider').action(async (name: string) => {
      const config = services.loadConfig()
      const provider = await services.findProvider(config, name)
      if (provider === undefined) throw await unknownProvider(name, config, services)
      const models = await services.listVendorModels(config, provider)
      const cells = (model: VendorModel) => ({
        ID: model.id,
        'SERVED AS': model.name === null ? '' : `${name}/${model.name}`,
      })
      print(listing(models, { json: (model) => model, cells, none: 'The vendor lists no model.' }))
    })
  },
}
