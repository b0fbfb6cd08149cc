import { modelJson } from '../../app/views/models.ts'
import type { Verb } from '../verb.ts'

export const modelRemove: Verb = {
  path: 'model remove',
  usage: '<name> [--json]',
  summary: 'Remove a model that was added to the catalog, with its prices. Usage and receipts keep its name.',
  example: 'sluice model remove openai/gpt-4o',
  next: 'take it out of sluice.yaml and catalog.yaml too, else "sluice apply" adds it again',
  json: true,
  define(command, { operate, print }) {
    command.argument('<name>', 'the model, as clients name it').action((name: string) =>
      operate(async (operator) => {
        const model = await operator.removeModel(name)
        print({
          json: modelJson(model),
          text: `The model ${model.name} is removed. Clients get 404 for it within 5 seconds.`,
        })
      }),
    )
  },
}
