import type { Config } from '../../compose/config.ts'
import { ApiError } from '../../domain/api-error.ts'
import { closestName } from '../../domain/closest-name.ts'
import { FailedChecks } from '../errors.ts'
import { describeCheck } from '../present/describe-check.ts'
import type { Verb } from '../verb.ts'

export const providerTest: Verb = {
  path: 'provider test',
  usage: '<name> [--json]',
  summary:
    'Ask a provider of sluice.yaml, or a sandbox vendor of the running gateway, and say what is wrong: its address, its key or a model. A text provider answers one short call for each model, which costs a fraction of a cent; a video provider is asked for a task that does not exist, and makes nothing.',
  example: 'sluice provider test openai',
  next: 'sluice doctor',
  json: true,
  define(command, { services, print }) {
    command
      .argument('<name>', 'the name of the provider in sluice.yaml, or of a sandbox vendor')
      .action(async (name: string) => {
        const config = services.loadConfig()
        const provider =
          config.providers.find((each) => each.name === name) ??
          (await services.findSandboxVendor(config, name))
        if (provider === undefined) throw unknownProvider(name, config)
        const checks = await services.testProvider(config, provider)
        const failed = checks.filter(({ ok }) => !ok)
        print({ json: { ok: failed.length === 0, checks }, text: checks.map(describeCheck).join('\n') })
        if (failed.length > 0) throw new FailedChecks(failed.length)
      })
  },
}

function unknownProvider(name: string, { providers }: Config): ApiError {
  const names = providers.map((provider) => provider.name)
  const meant = closestName(name, names)
  const known =
    names.length === 0 ? 'It names none: "sluice init" writes one.' : `It names ${names.join(', ')}.`
  return new ApiError('not_found', {
    message: `There is no provider "${name}" in sluice.yaml. ${meant === undefined ? known : `Did you mean ${meant}?`}`,
  })
}
