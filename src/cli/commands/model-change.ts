import { planJson } from '../../app/views/models.ts'
import { readText } from '../parse/read-text.ts'
import type { Verb } from '../verb.ts'
import { describePlan } from './apply.ts'

const FIX =
  'Give the path of a file with the members of one model, as in catalog.example.yaml, or - for standard input.'
const IN_FORCE = 'In force everywhere within 5 seconds.'

export const modelAdd: Verb = {
  path: 'model add',
  usage: '<file> [--json]',
  summary:
    'Add one model while the gateway runs. The file has its name, prices and other members as a catalog file has them; the store gives its number.',
  example: 'sluice model add new-model.yaml',
  next: 'sluice model list',
  json: true,
  define(command, { operate, print }) {
    command
      .argument('<file>', 'one model, in YAML or JSON; - reads standard input')
      .action(async (file: string) => {
        const text = readText(file, FIX)
        await operate(async (operator) => {
          const planned = await operator.addModel(text)
          print({ json: planJson(planned), text: [...describePlan([planned]), IN_FORCE].join('\n') })
        })
      })
  },
}

export const modelUpdate: Verb = {
  path: 'model update',
  usage: '<name> <file> [--json]',
  summary:
    'Change a model while the gateway runs: the members in the file replace those of the model, the others stay.',
  example: 'sluice model update openai/gpt-5 prices.yaml',
  next: 'sluice model list',
  json: true,
  define(command, { operate, print }) {
    command
      .argument('<name>', 'the model, as clients name it')
      .argument('<file>', 'the members that change, in YAML or JSON; - reads standard input')
      .action(async (name: string, file: string) => {
        const text = readText(file, FIX)
        await operate(async (operator) => {
          const planned = await operator.updateModel(name, text)
          const ending = planned.change === 'unchanged' ? 'Nothing to change.' : IN_FORCE
          print({ json: planJson(planned), text: [...describePlan([planned]), ending].join('\n') })
        })
      })
  },
}

export const modelPublish = publishing({
  path: 'model publish',
  isPublished: true,
  summary: 'Show a model to clients that was unpublished.',
  done: 'Clients see it within 5 seconds.',
})

export const modelUnpublish = publishing({
  path: 'model unpublish',
  isPublished: false,
  summary: 'Hide a model from clients, who get 404 for it; what runs already ends as it would.',
  done: 'Clients get 404 for it within 5 seconds.',
})

function publishing(input: { path: string; isPublished: boolean; summary: string; done: string }): Verb {
  const { path, isPublished, summary, done } = input
  return {
    path,
    usage: '<name> [--json]',
    summary,
    example: `sluice ${path} openai/gpt-5`,
    next: 'sluice model list',
    json: true,
    define(command, { operate, print }) {
      command.argument('<name>', 'the model, as clients name it').action((name: string) =>
        operate(async (operator) => {
          const planned = await operator.updateModel(name, JSON.stringify({ published: isPublished }))
          const state = `${name} is ${isPublished ? 'published' : 'not published'}.`
          print({ json: planJson(planned), text: `${state} ${done}` })
        }),
      )
    },
  }
}
