import { ALIAS, aliasesOf, modelJson, PLAN } from '../../app/views/models.ts'
import { presentTime } from '../../app/views/times.ts'
import { formatUsdDecimal } from '../../domain/billing/usd.ts'
import type { ModelAlias } from '../../domain/catalog/alias.ts'
import { endpointsOf } from '../../domain/catalog/endpoints-of.ts'
import { exampleCost } from '../../domain/catalog/example-cost.ts'
import { type PricedModel, targetLabel } from '../../domain/catalog/model.ts'
import { amountNameOf, attributesOf, type PriceRow } from '../../domain/catalog/price-row.ts'
import { readText } from '../parse/read-text.ts'
import { formatTable } from '../present/format-table.ts'
import { formatUsd } from '../present/formats.ts'
import type { Verb } from '../verb.ts'
import { describePlan } from './apply.ts'
import { forAll, forOne } from './define-verb.ts'

const BLANK = { ID: '', NAME: '', ENDPOINTS: '', 'MAX OUTPUT': '', CONTEXT: '' }

export const modelList: Verb = {
  path: 'model list',
  summary: 'List the models with their prices in US dollars and what a plain request costs, and the aliases.',
  example: 'sluice model list',
  next: 'sluice apply catalog.yaml --dry-run',
  define: forAll(async (operator) => {
    const models = await operator.listModels()
    const aliases = await operator.listAliases()
    return {
      json: models.map((model) => ({ ...modelJson(model), aliases: aliasesOf(model, aliases) })),
      text: formatTable([...models.flatMap(modelRows), ...aliases.map(aliasRow)], {
        none: 'There is no model yet. The first start of the server fills in the built-in ones.',
      }),
    }
  }),
}

const FIX =
  'Give the path of a file with the members of one model, as in catalog.example.yaml, or - for standard input.'
const IN_FORCE = 'In force everywhere within 5 seconds.'

export const modelAdd: Verb = {
  path: 'model add',
  summary:
    'Add one model while the gateway runs. The file has its name, prices and other members as a catalog file has them; the store gives its number.',
  example: 'sluice model add new-model.yaml',
  next: 'sluice model list',
  define(command, { operate, print }) {
    command
      .argument('<file>', 'one model, in YAML or JSON; - reads standard input')
      .action(async (file: string) => {
        const text = readText(file, FIX)
        await operate(async (operator) => {
          const planned = await operator.addModel(text)
          print({ json: PLAN.present(planned), text: [...describePlan([planned]), IN_FORCE].join('\n') })
        })
      })
  },
}

export const modelUpdate: Verb = {
  path: 'model update',
  summary:
    'Change a model while the gateway runs: the members in the file replace those of the model, the others stay.',
  example: 'sluice model update openai/gpt-5 prices.yaml',
  next: 'sluice model list',
  define(command, { operate, print }) {
    command
      .argument('<name>', 'the model, as clients name it')
      .argument('<file>', 'the members that change, in YAML or JSON; - reads standard input')
      .action(async (name: string, file: string) => {
        const text = readText(file, FIX)
        await operate(async (operator) => {
          const planned = await operator.updateModel(name, text)
          const ending = planned.change === 'unchanged' ? 'Nothing to change.' : IN_FORCE
          print({ json: PLAN.present(planned), text: [...describePlan([planned]), ending].join('\n') })
        })
      })
  },
}

export const modelPublish = publishing({
  path: 'model publish',
  isPublished: true,
  summary: 'Show an unpublished model to clients again.',
  done: 'Clients see it within 5 seconds.',
})

export const modelUnpublish = publishing({
  path: 'model unpublish',
  isPublished: false,
  summary: 'Hide a model from clients, who get 404 for it. Requests that run already are not affected.',
  done: 'Clients get 404 for it within 5 seconds.',
})

function publishing(input: { path: string; isPublished: boolean; summary: string; done: string }): Verb {
  const { path, isPublished, summary, done } = input
  return {
    path,
    summary,
    example: `sluice ${path} openai/gpt-5`,
    next: 'sluice model list',
    define(command, { operate, print }) {
      command.argument('<name>', 'the model, as clients name it').action((name: string) =>
        operate(async (operator) => {
          const planned = await operator.updateModel(name, JSON.stringify({ published: isPublished }))
          const state = `${name} is ${isPublished ? 'published' : 'not published'}.`
          print({ json: PLAN.present(planned), text: `${state} ${done}` })
        }),
      )
    },
  }
}

export const modelRemove: Verb = {
  path: 'model remove',
  summary: 'Remove a model that was added to the catalog, with its prices. Usage and receipts keep its name.',
  example: 'sluice model remove openai/gpt-4o',
  next: 'take it out of sluice.yaml and catalog.yaml too, else "sluice apply" adds it again',
  define: forOne('<name>', 'the model, as clients name it', async (operator, name) => {
    const model = await operator.removeModel(name)
    return {
      json: modelJson(model),
      text: `The model ${model.name} is removed. Clients get 404 for it within 5 seconds.`,
    }
  }),
}

interface AliasOptions {
  org?: string
  remove?: true
}

export const modelAlias: Verb = {
  path: 'model alias',
  summary:
    'Give a model another name, or point an alias to another model. Requests by the alias cost and are logged as those for the model; replies name the alias.',
  example: 'sluice model alias gpt-5 openai/gpt-5',
  next: 'sluice model list',
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
            print({ json: ALIAS.present(removed), text })
            return
          }
          const { was, ...set } = await operator.setAlias({ ...named, model })
          const before = was === null || was === model ? '' : ` It was ${was}.`
          const text = `${alias} is ${model}${whose(set)}, within 5 seconds everywhere.${before}`
          print({ json: { ...ALIAS.present(set), was }, text })
        })
      })
  },
}

function whose({ organizationId }: ModelAlias): string {
  return organizationId === null ? '' : ` for ${organizationId}`
}

/** Returns one row per price; only the first row has the facts of the model. */
function modelRows(model: PricedModel): Record<string, string>[] {
  const example = exampleCost(model)
  const first = {
    ID: String(model.modelId),
    NAME: labelOf(model),
    ENDPOINTS: endpointsOf(model).join(' ') || '-',
    'MAX OUTPUT': model.maxOutputTokens?.toString() ?? '-',
    CONTEXT: model.contextTokens?.toString() ?? '-',
  }
  const cost =
    example === undefined
      ? 'no price: clients get 503'
      : `${example.request}: ${formatUsd(example.costMicros)}`
  const prices = model.prices.length === 0 ? [{ SOLD: '-', USD: '-' }] : model.prices.map(priceCells)
  const { fromMs = 0, prices: next = [] } = model.nextPrices ?? {}
  const planned = next.map(priceCells).map(({ SOLD, USD }) => ({
    SOLD: `from ${presentTime(fromMs)}: ${SOLD}`,
    USD,
  }))
  return [...prices, ...planned].map((cells, index) =>
    index === 0 ? { ...first, ...cells, EXAMPLE: cost } : { ...BLANK, ...cells, EXAMPLE: '' },
  )
}

function aliasRow({ alias, model, organizationId }: ModelAlias): Record<string, string> {
  const whose = organizationId === null ? '' : `, only ${organizationId}`
  return { ...BLANK, NAME: `${alias} (alias of ${model}${whose})`, SOLD: '', USD: '', EXAMPLE: '' }
}

function labelOf({ name, likeModel, route }: PricedModel): string {
  if (likeModel !== undefined) return `${name} (like ${likeModel})`
  return route === undefined ? name : `${name} (route ${route.map(targetLabel).join(' ')})`
}

function priceCells(row: PriceRow): { SOLD: string; USD: string } {
  const amount = amountNameOf(row.unit)
  const unit = amount === 'usd_per_million' ? `million ${row.unit}s` : row.unit
  const price = formatUsdDecimal(row.priceMicros)
  return { SOLD: [unit, ...attributesOf(row)].join(', '), USD: amount === 'times' ? `x ${price}` : price }
}
