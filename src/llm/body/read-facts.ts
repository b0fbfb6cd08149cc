import { createUrlCheck } from '../../domain/addresses/url-check.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { TextEndpoint } from '../../domain/catalog/dialects.ts'
import { parseJson, VALUES_MAX } from '../../domain/json/parse-json.ts'
import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import type { TextOperation } from '../canonical/dialect.ts'
import { REFERENCES_MAX, type Reference, type ReferencesFound } from '../canonical/references.ts'
import { hasLongMark } from '../count/cache-marks.ts'
import { countBody } from '../count/count-tokens.ts'
import { CLIENT_DIALECTS } from '../dialects.ts'
import type { IdsAsked } from '../passthrough/reply-ids.ts'
import type { OwnCompaction } from '../responses/compaction/own-compactions.ts'
import { hostedCallsIn } from '../tools/hosted-tools.ts'

/** What has to be known of a heavy body before it is put into a vendor's words. */
export interface BodyFacts {
  /** Its top-level members, as far as they are small: how it is to be answered, not what is asked. */
  outline: JsonObject
  inputCount: ReturnType<typeof countBody>
  /** Ids of earlier output that it points to, at most `REFERENCES_MAX`. */
  itemReferences: readonly string[]
  /** Compactions of the gateway in it. */
  compactions: readonly OwnCompaction[]
  /** All that it names; of either kind one more than `REFERENCES_MAX` at most, each that it can do without once. */
  references: ReferencesFound
  pointsElsewhere: boolean
  /** The tools that a vendor would run for it: money is set aside for them. */
  hostedCalls: ReturnType<typeof hostedCallsIn>
  /** Other models of the vendor may take part: the same. */
  namesOthers: boolean
  /** What it writes to the vendor's cache is to be kept for longer than five minutes. */
  asksForLongCache: boolean
  idsAsked: IdsAsked
}

/** What kind of request a text body has to be. */
export interface TextShape {
  endpoint: TextEndpoint
  operation: TextOperation
}

/** Functions cannot cross to another thread, so the check of URLs is made there. */
interface ReadingJob extends TextShape {
  /** Private addresses that a URL may lead to. */
  allowedRanges: readonly string[]
}

/** Throws an `ApiError` for a body that is no JSON, or no request of this shape. The bytes are known to be UTF-8. */
export function readFacts(bytes: Buffer, { endpoint, operation, allowedRanges }: ReadingJob): BodyFacts {
  const value = parseJson(bytes, { nul: 'pass', valuesMax: VALUES_MAX, membersOnce: true })
  const client = CLIENT_DIALECTS[endpoint]
  client.check(value, operation, createUrlCheck(allowedRanges))
  if (!isJsonObject(value)) throw new ApiError('invalid_json')
  return {
    outline: outlineOf(value),
    inputCount: countBody({ bytes, value }),
    itemReferences: (client.items?.idsIn(value) ?? []).filter(isShort).slice(0, REFERENCES_MAX),
    compactions: client.compaction?.compactionsIn(value) ?? [],
    references: fewOf(client.findReferences(value)),
    idsAsked: client.passthrough.idsAsked(value),
    hostedCalls: hostedCallsIn(value, endpoint),
    namesOthers: client.namesOtherModels(value),
    asksForLongCache: hasLongMark(value),
    pointsElsewhere: client.referencesVendorState(value),
  }
}

/** So many that it shows when there are too many: an id that comes a thousand times must not hide the one behind it. */
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

/** What the gateway acts upon is never among those that find no room: vendors look at it wherever it stands. */
function outlineOf(value: JsonObject): JsonObject {
  const small = Object.entries(value).filter(([name, member]) => isShort(name) && isSmall(member))
  const decisive = small.filter(([name]) => DECISIVE.has(name))
  const others = small.filter(([name]) => !DECISIVE.has(name))
  // The check has held its name to a length.
  return { ...Object.fromEntries([...decisive, ...others].slice(0, MEMBERS_MAX)), model: value.model }
}

const DECISIVE: ReadonlySet<string> = new Set([
  ...['stream', 'service_tier', 'speed', 'inference_geo'],
  ...Object.values(CLIENT_DIALECTS).flatMap(({ outputBounds, decisive }) => [...outputBounds, ...decisive]),
])

/** Of lists only the empty ones: a turn or a tool is not for the outline. */
function isSmall(member: unknown): boolean {
  if (typeof member === 'string') return isShort(member)
  if (Array.isArray(member)) return member.length === 0
  if (!isJsonObject(member)) return true
  const inner = Object.values(member)
  return inner.length <= 8 && inner.every((value) => typeof value !== 'object' && isSmall(value))
}
