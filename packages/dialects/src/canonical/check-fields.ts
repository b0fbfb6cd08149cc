import type { FindUrlProblem } from '../canonical/problem.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { RequestError } from '../request-error.ts'
import { isModel } from '../values/names.ts'
import { isNil } from '../values/values.ts'
import { foldedName, misspelledName } from './bad-parameter.ts'
import { prefixPath, problemAmong, type RequestProblem, requestErrorOf } from './problem.ts'
import { toolsIn } from './tools-in.ts'

export type FieldCheck = (body: JsonObject, problemOfUrl: FindUrlProblem) => RequestProblem | undefined

/** Refuses a body with the problem that the first failing check finds. */
export function bodyChecker(
  knownFields: ReadonlySet<string>,
  checks: readonly FieldCheck[],
): (value: unknown, problemOfUrl: FindUrlProblem) => void {
  return (value, problemOfUrl) => {
    if (!isJsonObject(value))
      throw new RequestError('invalid_parameter', { message: 'The body must be a JSON object.' })
    refuseMisspelled(value, knownFields)
    refuseRouting(value, knownFields)
    for (const check of checks) {
      const problem = check(value, problemOfUrl)
      if (problem !== undefined) throw requestErrorOf(problem)
    }
  }
}

/** Refuses a member that a vendor which ignores case would take for another member. */
export function refuseMisspelled(body: JsonObject, knownFields: ReadonlySet<string>): void {
  const name = misspelledName(body, knownFields)
  if (name !== undefined)
    throw requestErrorOf({ path: name, problem: 'must be spelled in small letters, and given once' })
}

/**
 * Refuses fields and tools that let a routing vendor use other models or sellers, because the catalog has no prices for
 * them. Fields in `knownFields` pass.
 */
export function refuseRouting(body: JsonObject, knownFields: ReadonlySet<string>): void {
  const field = routingIn(body).find((name) => !knownFields.has(name))
  const extra = isJsonObject(body.extra_body) && routingIn(body.extra_body).length > 0
  const tool = toolsIn({ tools: body.tools }).findIndex(isRouterTool)
  const brought = toolsIn({ input: body.input }).some(isRouterTool) ? 'input' : undefined
  const path = field ?? (extra ? 'extra_body' : tool === -1 ? brought : `tools.${tool}.type`)
  if (path === undefined) return
  const problem = 'must be left out: the operator chooses the models and their providers, with their prices'
  throw requestErrorOf({ path, problem })
}

function routingIn(members: JsonObject): string[] {
  return Object.keys(members).filter((name) => ROUTING.has(foldedName(name)) && !isEmpty(members[name]))
}

const ROUTING: ReadonlySet<string> = new Set([
  ...['models', 'provider', 'route', 'preset', 'plugins', 'fallbacks'],
  ...['context_window_fallbacks', 'content_policy_fallbacks'],
  ...['provideroptions', 'provider_options'],
])

/** Whether a tool lets a routing vendor run other models; its web search does not. */
function isRouterTool(tool: unknown): boolean {
  const type = isJsonObject(tool) ? String(tool.type) : ''
  return type.startsWith('openrouter:') && type !== 'openrouter:web_search'
}

function isEmpty(value: unknown): boolean {
  return isNil(value) || (typeof value === 'object' && Object.keys(value).length === 0)
}

export function isThere(name: string): FieldCheck {
  return (body) => (isNil(body[name]) ? { path: name, problem: undefined } : undefined)
}

export function checkModel({ model }: JsonObject): RequestProblem | undefined {
  if (typeof model !== 'string') return { path: 'model', problem: 'must be a string' }
  return isModel(model) ? undefined : { path: 'model', problem: 'must look like <provider>/<model_name>' }
}

export function checkEachTool(checkTool: FieldCheck): FieldCheck {
  return ({ tools }, problemOfUrl) => {
    if (isNil(tools)) return undefined
    if (!Array.isArray(tools)) return { path: 'tools', problem: 'must be an array' }
    return prefixPath('tools', problemAmong(tools, checkTool, problemOfUrl))
  }
}

/** Accepts a missing member, or an integer above 0 and, if `max` is given, up to `max`. */
export function mayBeCount(body: JsonObject, name: string, max?: number): RequestProblem | undefined {
  const count = body[name]
  if (
    isNil(count) ||
    (Number.isSafeInteger(count) && Number(count) > 0 && Number(count) <= (max ?? Infinity))
  )
    return undefined
  return { path: name, problem: `must be an integer ${max === undefined ? 'above 0' : `from 1 to ${max}`}` }
}

export function firstOtherThanText(values: readonly unknown[], name: string): RequestProblem | undefined {
  const index = values.findIndex((one) => typeof one !== 'string')
  return index < 0 ? undefined : { path: `${name}.${index}`, problem: 'must be a string' }
}
