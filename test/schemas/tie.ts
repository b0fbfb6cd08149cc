import { isJsonObject } from '@sluice/dialects/json/json-object'
import { Ajv } from 'ajv'
import { systemClock } from '../../src/adapters/system/clock.ts'
import type { App } from '../../src/app/app.ts'
import { asApiError } from '../../src/domain/api-error.ts'
import { type JsonSchema, json } from '../../src/domain/json/json-schema.ts'
import { videoModelOf } from '../../src/domain/video/families/families.ts'
import { createAdminAccess } from '../../src/http/admin/admin-key-check.ts'
import type { EdgeReply } from '../../src/http/edge-reply.ts'
import type { EdgeRequest } from '../../src/http/edge-request.ts'
import type { HandlerParts, Operation } from '../../src/http/operation.ts'
import { VERSION_HEADER } from '../../src/http/schema/read-version.ts'
import { readForwarded } from '../../src/http/server/forwarded.ts'

/** Published schema and parser of one operation, for the same value. */
export interface Tie {
  schema: JsonSchema
  /** A value that the schema describes, as it comes over the wire. */
  toWire(value: unknown): unknown
  allows(wire: unknown): boolean
  accepts(wire: unknown): Promise<boolean>
}

const ajv = new Ajv({ strict: false, validateFormats: false })

export function tieBody(operation: Operation, schema: JsonSchema): Tie {
  const isValid = ajv.compile(schema)
  return {
    schema,
    toWire: (value) => JSON.parse(JSON.stringify(value)),
    allows: (wire) => isValid(wire),
    accepts: (wire) =>
      reachesUseCase(operation, { body: wire, bodyBytes: Buffer.from(JSON.stringify(wire)) }),
  }
}

/** Values of a query are texts, or lists of texts where a name is repeated. */
export function tieQuery(operation: Operation, parameters: Record<string, JsonSchema>): Tie {
  const schema = json.object(
    Object.fromEntries(Object.entries(parameters).map(([name, one]) => [name, json.optional({ ...one })])),
  )
  const isValid = ajv.compile(schema)
  return {
    schema,
    toWire: (query) => mapMembers(query, (_name, value) => spell(value)),
    allows: (wire) => isValid(mapMembers(wire, (name, value) => readByType(value, parameters[name]?.type))),
    accepts: (wire) => reachesUseCase(operation, { query: wire }),
  }
}

function mapMembers(value: unknown, change: (name: string, member: unknown) => unknown): unknown {
  if (!isJsonObject(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(name, member)]))
}

function spell(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => String(spell(one)))
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** An integer is spelled in digits; any other text is no integer. */
function readByType(value: unknown, type: JsonSchema['type']): unknown {
  if (type !== 'integer' || typeof value !== 'string') return value
  return /^(?:\d+|-[1-9]\d*)$/.test(value) ? Number(value) : value
}

/** Whether the handler gets past its parser. */
async function reachesUseCase(operation: Operation, sent: Partial<EdgeRequest>): Promise<boolean> {
  const request: EdgeRequest = Object({
    query: {},
    params: {},
    headers: { [VERSION_HEADER]: '2023-06-01' },
    caller: {},
    isHeavy: false,
    raw: { headers: {}, socket: {} },
    ...sent,
  })
  try {
    await operation.handle(PARTS)(request, REPLY)
    return true
  } catch (error) {
    if (error === REACHED) return true
    const { status, code } = asApiError(error) ?? {}
    // The parser reads the id of the path last, and this path has none.
    if (code === 'task_not_found') return true
    if (status === 400) return false
    throw error
  }
}

const REACHED = new Error('A use case was reached.')

const reached = () => {
  throw REACHED
}

/** An app whose use cases all end the call with `REACHED`. Functions that parsers use work as usual. */
const APP: App = Object(
  new Proxy(
    {
      isAllowedUrl: () => true,
      findVideoModel: (name: string) => videoModelOf({ name }),
      sessions: { signIn: reached },
      quotaSync: { organization: async () => {}, user: async () => {}, modelPrice: async () => {} },
    },
    { get: (known, name) => Reflect.get(known, name) ?? reached },
  ),
)

const forwarded = readForwarded([])
const admin = createAdminAccess({ adminApiKey: 'an admin key', forwarded, clock: systemClock })
const PARTS: HandlerParts = Object({ app: APP, admin, forwarded, answerMcp: reached })
const REPLY: EdgeReply = Object({ header: () => REPLY, type: () => REPLY, send: () => REPLY })
