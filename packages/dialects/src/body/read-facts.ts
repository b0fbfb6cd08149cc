import type { FindUrlProblem } from '../canonical/problem.ts'
import { REFERENCES_MAX, type Reference, type ReferencesFound } from '../canonical/references.ts'
import type { DialectOperation, OwnCompaction } from '../contract/dialect.ts'
import { asksForLongCache } from '../count/cache-marks.ts'
import { countBody } from '../count/count-tokens.ts'
import type { TextEndpoint } from '../dialect-facts.ts'
import { CLIENT_DIALECTS } from '../dialects.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { parseJson, VALUES_MAX } from '../json/parse-json.ts'
import type { IdsToCollect } from '../passthrough/reply-ids.ts'
import { INVALID_JSON, RequestError } from '../request-error.ts'
import { hostedCallsIn } from './hosted-tools.ts'

/** Facts about a heavy body that the gateway needs before it is converted. */
export interface BodyFacts {
  /** Its small top-level members: settings of the reply, not the conversation. */
  outline: JsonObject
  inputBound: ReturnType<typeof countBody>
  /** Ids of earlier output that the body refers to, at most `REFERENCES_MAX`. */
  itemReferences: readonly string[]
  compactions: readonly OwnCompaction[]
  /** References of the request: at most `REFERENCES_MAX + 1` of each kind, and each dispensable id once. */
  references: ReferencesFound
  refersOutside: boolean
  /** Hosted tools of the request by price unit: money is held for them. */
  hostedCalls: ReturnType<typeof hostedCallsIn>
  /** The vendor may use other models of its own: money is held for them too. */
  namesOthers: boolean
  /** The request asks the vendor to keep cache writes for longer than five minutes. */
  asksForLongCache: boolean
  idsToCollect: IdsToCollect
}

/** The kind of request that a text body has to be. */
export interface TextShape {
  endpoint: TextEndpoint
  operation: DialectOperation
}

/** Throws a `RequestError` for a body that is not JSON, or not a request of this shape. The bytes are known to be UTF-8. */
export function readFacts(
  bytes: Buffer,
  { endpoint, operation }: TextShape,
  problemOfUrl: FindUrlProblem,
): BodyFacts {
  const value = parseJson(bytes, { nul: 'pass', valuesMax: VALUES_MAX, membersOnce: true })
  const client = CLIENT_DIALECTS[endpoint]
  client.check(value, operation, problemOfUrl)
  if (!isJsonObject(value)) throw new RequestError('invalid_json', { message: INVALID_JSON })
  return {
    outline: outlineOf(value),
    inputBound: countBody({ bytes, value }),
    itemReferences: (client.items?.idsIn(value) ?? []).filter(isShort).slice(0, REFERENCES_MAX),
    compactions: client.compaction?.compactionsIn(value) ?? [],
    references: fewOf(client.findReferences(value)),
    idsToCollect: client.passthrough.idsToCollect(value),
    hostedCalls: hostedCallsIn(value, endpoint),
    namesOthers: client.namesOtherModels(value),
    asksForLongCache: asksForLongCache(value),
    refersOutside: client.referencesVendorState(value),
  }
}

/**
 * Keeps one more than the maximum, which shows an excess. A dispensable id counts once, so that a repeated id does not
 * hide the others.
 */
function fewOf({ named, dispensable }: ReferencesFound): ReferencesFound {
  const few = (list: Iterable<Reference>) =>
    [...Iterator.from(list).take(REFERENCES_MAX + 1)].map(({ param, id }) => ({
      param: param.slice(0, MEMBER_LENGTH_MAX),
      id: id.slice(0, MEMBER_LENGTH_MAX),
    }))
  const once = new Map(dispensable.map((reference) => [reference.id, reference]))
  return { named: few(named), dispensable: few(once.values()) }
}

const MEMBERS_MAX = 64
const MEMBER_LENGTH_MAX = 1_024

function isShort(text: string): boolean {
  return text.length <= MEMBER_LENGTH_MAX
}

/** Members that the gateway uses come first, so that the limit never drops them: vendors read them at any position. */
export function outlineOf(value: JsonObject): JsonObject {
  const small = Object.entries(value).filter(([name, member]) => isShort(name) && isSmall(member))
  const decisive = small.filter(([name]) => DECISIVE.has(name))
  const others = small.filter(([name]) => !DECISIVE.has(name))
  // The check limits the length of a model's name.
  return { ...Object.fromEntries([...decisive, ...others].slice(0, MEMBERS_MAX)), model: value.model }
}

const DECISIVE: ReadonlySet<string> = new Set([
  ...['stream', 'service_tier', 'speed', 'inference_geo'],
  ...Object.values(CLIENT_DIALECTS).flatMap(({ outputBounds, decisive }) => [...outputBounds, ...decisive]),
])

/** A list is small only if it is empty: a turn or a tool does not belong in the outline. */
function isSmall(member: unknown): boolean {
  if (typeof member === 'string') return isShort(member)
  if (Array.isArray(member)) return member.length === 0
  if (!isJsonObject(member)) return true
  const inner = Object.values(member)
  return inner.length <= 8 && inner.every((value) => typeof value !== 'object' && isSmall(value))
}
