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
    'Ask a provider of sluice.yaml and say what is wrong: its address, its key or a model. A text provider answers one short call for each model, which costs a fraction of a cent; a video provider is asked for a task that does not exist, and makes nothing.',
  example: 'sluice provider test openai',
  next: 'sluice doctor',
  json: true,
  define(command, { services, print }) {
    command.argument('<name>', 'the name of the provider in sluice.yaml').action(async (name: string) => {
      const config = services.loadConfig()
      const checks = await services.testProvider(config, findProvider(name, config))
      const failed = checks.filter(({ ok }) => !ok)
      print({ json: { ok: failed.length === 0, checks }, text: checks.map(describeCheck).join('\n') })
      if (failed.length > 0) throw new FailedChecks(failed.length)
    })
  },
}

function findProvider(name: string, { providers }: Config): Config['providers'][number] {
  const found = providers.find((provider) => provider.name === name)
  if (found !== undefined) return found
  const names = providers.map((provider) => provider.name)
  const meant = closestName(name, names)
  const known =
    names.length === 0 ? 'It names none: "sluice init" writes one.' : `It names ${names.join(', ')}.`
  throw new ApiError('not_found', {
    message: `There is no provider "${name}" in sluice.yaml. ${meant === undefined ? known : `Did you mean ${meant}?`}`,
  })
}
