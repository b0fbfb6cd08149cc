import { ApiError } from '../api-error.ts'
import { isVideoModel } from './endpoints-of.ts'
import type { Model } from './model.ts'

type RoutedModel = Pick<Model, 'name' | 'likeModel' | 'route'>

/**
 * A target must be a text model of the catalog without a route. A route to a route could be circular, and an unknown
 * target would be skipped without a message. Returns undefined when `model` and every route that names it are valid.
 */
export function routeConflict(model: RoutedModel, catalog: readonly RoutedModel[]): ApiError | undefined {
  for (const { model: target } of model.route ?? []) {
    const row = catalog.find(({ name }) => name === target)
    if (row === undefined)
      return refuse(
        `The target ${target} in the route of ${model.name} is not a model of the catalog. Correct it, or list that model too.`,
      )
    if (isVideoModel(row))
      return refuse(
        `The target ${target} in the route of ${model.name} makes videos. Only text models have a route.`,
      )
    if (row.route !== undefined) return nestedRoute(model.name, row)
  }
  if (model.route === undefined) return undefined
  const above = catalog.find(({ route }) => route?.some((target) => target.model === model.name))
  return above === undefined ? undefined : nestedRoute(above.name, model)
}

function nestedRoute(name: string, { name: target, route = [] }: RoutedModel): ApiError {
  const isCircle = route.some(({ model }) => model === name)
  return refuse(
    isCircle
      ? `The routes of ${name} and ${target} name each other. A target must be a model without a route: add one catalog row per provider model and use those names as targets.`
      : `The target ${target} in the route of ${name} has a route itself. Use the targets of that route instead.`,
  )
}

function refuse(message: string): ApiError {
  return new ApiError('invalid_parameter', { message, param: 'route' })
}
