import { aliasJson } from '../../app/views/models.ts'
import type { ModelAlias } from '../../domain/catalog/alias.ts'
import type { Verb } from '../verb.ts'

interface AliasOptions {
  org?: string
  remove?: true
}

export const modelAlias: Verb = {
  path: 'model alias',
  usage: '<alias> [<name>] [--org <id>] [--remove] [--json]',
  summary:
    'Give a model another name, or point an alias to another model. Requests by the alias cost and are logged as those for the model; replies name the alias.',
  example: 'sluice model alias gpt-5 openai/gpt-5',
  next: 'sluice model list',
  json: true,
  define(command, { operate, print }) {
    command
      .argument('<alias>', 'the other name')
      .argument('[name]', 'the model; left out with --remove')
      .option('--org <id>', 'only for this organization; its own alias precedes one of all')
      .option('--remove', 'remove the alias')
      .action(async (alias: string, name: string | undefined, { org, remove }: AliasOptions) => {
        const model = remove ? undefined : (name ?? command.error('name the model, or use --remove'))
        const named = { alias, organizationId: org ?? null }
        await operate(async (operator) => {
          if (model === undefined) {
            const removed = await operator.removeAlias(named)
            const text = `The alias ${alias}${whose(removed)} is removed. Clients get 404 for it within 5 seconds.`
            print({ json: aliasJson(removed), text })
            return
          }
          const { was, ...set } = await operator.setAlias({ ...named, model })
          const before = was === null || was === model ? '' : ` It was ${was}.`
          const text = `${alias} is ${model}${whose(set)}, within 5 seconds everywhere.${before}`
          print({ json: { ...aliasJson(set), was }, text })
        })
      })
  },
}

function whose({ organizationId }: ModelAlias): string {
  return organizationId === null ? '' : ` for ${organizationId}`
}
