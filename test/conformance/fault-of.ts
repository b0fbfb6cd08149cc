import { Ajv, type ValidateFunction } from 'ajv'
import type { Operation } from '../../src/http/operation.ts'
import { describeApi } from '../../src/http/operations/openapi/describe-api.ts'
import type { OperationObject } from '../../src/http/operations/openapi/document.ts'
import { OPERATIONS } from '../../src/http/routes.ts'

interface Answer {
  method: string
  path: string
  status: number
  type: string | null
  /** Undefined: a body that is not JSON, which is not read. */
  text: string | undefined
}

const api = describeApi(OPERATIONS, { version: '1' })
const ajv = new Ajv({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'api', ...api })
const compiled = new Map<string, ValidateFunction>()

const DESCRIBED: readonly (readonly [Pick<Operation, 'method'>, RegExp, OperationObject])[] = Object.entries(
  api.paths,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const pattern = path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')
    return [
      { method: method.toUpperCase() as Operation['method'] },
      new RegExp(`^${pattern}$`),
      operation,
    ] as const
  }),
)

/** Paths without parameters come first, because a path with parameters may match them too. */
const EXACT_FIRST = DESCRIBED.toSorted(
  ([, one], [, other]) => Number(one.source.includes('[')) - Number(other.source.includes('[')),
)

/** Returns the difference of an answer from the document; undefined: none, or the document lacks the operation. */
export function faultOf({ method, path, status, type, text }: Answer): string | undefined {
  const [, , operation] =
    EXACT_FIRST.find(([row, pattern]) => row.method === method && pattern.test(path)) ?? []
  if (operation === undefined) return undefined
  const place = `${operation.operationId} ${status}`
  const reply = operation.responses[status]
  if (reply === undefined) return `${place}: the status is not described`
  const media = type?.split(';')[0] ?? ''
  if (reply.content === undefined) return text ? `${place}: a body, which is not described` : undefined
  const content = reply.content[media] ?? reply.content['*/*']
  if (content === undefined) return `${place}: the type ${media} is not described`
  if (text === undefined || content.schema?.$ref === undefined) return undefined
  const { $ref } = content.schema
  const isValid = compiled.get($ref) ?? ajv.compile({ $ref: `api${$ref}` })
  compiled.set($ref, isValid)
  if (isValid(JSON.parse(text))) return undefined
  return `${place}: ${ajv.errorsText(isValid.errors)} in ${text.slice(0, 400)}`
}
