import { ApiError, invalidParameter } from '../api-error.ts'
import { closestName } from '../closest-name.ts'

/** Another name of a model. Requests for it are served, priced and logged as requests for the model. */
export interface ModelAlias {
  alias: string
  /** Name of a catalog row, never of another alias. */
  model: string
  /** The one organization that may use the alias; null: all. An organization's own alias takes precedence. */
  organizationId: string | null
}

export const ALIAS_LENGTH_MAX = 200
export const ALIAS_PATTERN = '^[A-Za-z0-9][\\w.:@/-]*$'

/** Returns undefined when the alias can be stored beside these models and aliases. */
export function aliasConflict(
  { alias, model }: ModelAlias,
  { names, aliases }: { names: readonly string[]; aliases: readonly ModelAlias[] },
): ApiError | undefined {
  if (alias.length > ALIAS_LENGTH_MAX || !new RegExp(ALIAS_PATTERN).test(alias))
    return invalidParameter(
      'alias',
      `An alias has at most ${ALIAS_LENGTH_MAX} letters, digits and the characters _ . : @ / -, and begins with a letter or a digit.`,
    )
  if (names.includes(alias))
    return invalidParameter('alias', `${alias} is the name of a model. Choose another alias.`)
  if (names.includes(model)) return undefined
  const between = aliases.find((other) => other.alias === model)
  if (between !== undefined)
    return invalidParameter('model', `${model} is an alias itself. Name its model: ${between.model}.`)
  const nearest = closestName(model, names)
  const advice = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  return new ApiError('not_found', {
    ...{ param: 'model', message: `There is no model ${model}.${advice}` },
    command: '"sluice model list" shows them.',
  })
}

/** A new model must not take the name of an alias, whose clients would suddenly get another model. */
export function takenByAlias(name: string, aliases: readonly ModelAlias[]): ApiError | undefined {
  const taken = aliases.find(({ alias }) => alias === name)
  return taken && invalidParameter('name', `${name} is an alias of ${taken.model}. Remove the alias first.`)
}
