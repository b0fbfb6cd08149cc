import { aliasesOf, modelJson } from '../../app/views/models.ts'
import { formatTable } from '../present/format-table.ts'
import { aliasRow, modelRows } from '../present/present-model.ts'
import type { Verb } from '../verb.ts'

export const modelList: Verb = {
  path: 'model list',
  usage: '[--json]',
  summary: 'List the models with their prices in US dollars and what a plain request costs, and the aliases.',
  example: 'sluice model list',
  next: 'sluice apply catalog.yaml --dry-run',
  json: true,
  define(command, { operate, print }) {
    command.action(() =>
      operate(async (operator) => {
        const models = await operator.listModels()
        const aliases = await operator.listAliases()
        print({
          json: models.map((model) => ({ ...modelJson(model), aliases: aliasesOf(model, aliases) })),
          text: formatTable([...models.flatMap(modelRows), ...aliases.map(aliasRow)], {
            none: 'There is no model yet. The first start of the server fills in the built-in ones.',
          }),
        })
      }),
    )
  },
}
