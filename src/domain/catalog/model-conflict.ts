import { ApiError } from '../api-error.ts'
import { counted } from '../counted.ts'
import type { ModelAlias } from './alias.ts'
import { builtInModels } from './built-in.ts'
import { type Model, NEW_MODEL_ID } from './model.ts'

interface NumberedModel {
  modelId: number
  name: string
}

/** A name keeps its number and a number its name, because other systems use either. undefined: they agree. */
export function modelConflict(wanted: NumberedModel, stored: readonly NumberedModel[]): ApiError | undefined {
  const sameName = stored.find(({ name }) => name === wanted.name)
  if (wanted.modelId === NEW_MODEL_ID) return sameName && nameInUse(wanted.name)
  if (sameName !== undefined && sameName.modelId !== wanted.modelId) {
    return refuse(
      `${wanted.name} has the model_id ${sameName.modelId}, and that never changes. Write model_id: ${sameName.modelId} instead of ${wanted.modelId}.`,
    )
  }
  const sameId = stored.find(({ modelId }) => modelId === wanted.modelId)
  if (sameId !== undefined && sameId.name !== wanted.name) {
    return refuse(
      `The model_id ${wanted.modelId} belongs to ${sameId.name}. Give ${wanted.name} a number that is free.`,
    )
  }
  return undefined
}

function nameInUse(name: string): ApiError {
  return refuse(`There is a model ${name} already. Change that one, or choose another name.`, 'name')
}

function refuse(message: string, param = 'model_id'): ApiError {
  return new ApiError('invalid_parameter', { message, param })
}

interface ModelUsers {
  models: readonly Model[]
  aliases: readonly ModelAlias[]
  /** Number of the model's video tasks that have not ended. */
  openTasks: number
}

/** Returns why a model cannot be removed; undefined: it can. */
export function removalConflict(name: string, users: ModelUsers): ApiError | undefined {
  const why = whyNeeded(name, users)
  return why === undefined ? undefined : refuse(`${name} was not removed: ${why}.`, 'name')
}

/** The sandbox serves the built-in models, and a model that other models or aliases name must stay. */
function whyNeeded(name: string, { models, aliases, openTasks }: ModelUsers): string | undefined {
  if (builtInModels(0).some((row) => row.name === name))
    return 'it is built in. Clients do not see it once real providers are configured; "endpoints: []" in a catalog file hides a text model'
  const user = models.find((model) => namedModels(model).includes(name))
  if (user !== undefined)
    return `${user.name} names it in its fallbacks, its route or its stand_ins. Change that with "sluice apply" first`
  const own = aliases.find(({ model }) => model === name)
  if (own !== undefined)
    return `${own.alias} is an alias of it. Remove that, or point it to another model, first`
  if (openTasks === 0) return undefined
  return `${counted(openTasks, 'video task')} of this model ${openTasks === 1 ? 'has' : 'have'} not ended. Take the model out of sluice.yaml, wait until none is open, and try again`
}

export function namedModels({ fallbacks = [], route = [], standIns = [] }: Model): string[] {
  return [...fallbacks, ...standIns, ...route.map(({ model }) => model)]
}
