import type { TextEndpoint } from '../../domain/catalog/model.ts'
import { VALUES_MAX } from '../../domain/json/body-bounds.ts'
import { parseJson } from '../../domain/json/parse-json.ts'
import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { Refusal } from '../../domain/refusal.ts'
import { countBody } from '../count/count-tokens.ts'
import type { Reference, ReferencesFound } from '../hub/references.ts'
import { messagesPointElsewhere } from '../messages/points-elsewhere.ts'
import { referencesInMessages } from '../messages/references.ts'
import { placeOfModel } from '../passthrough/replace-model.ts'
import { idsWorthKeeping } from '../passthrough/reply-ids.ts'
import { referencesIn } from '../responses/item-references.ts'
import { responsesPointElsewhere } from '../responses/points-elsewhere.ts'
import { referencesInResponses } from '../responses/references.ts'
import { checkShape, type TextShape } from './check-shape.ts'

/** What has to be known of a heavy body before it is put into a vendor's words. */
export interface BodyFacts {
  /** Its top-level members, as far as they are small: how it is to be answered, not what is asked. */
  outline: JsonObject
  inputCount: ReturnType<typeof countBody>
  /** Ids of earlier output that it points to, at most `REFERENCES_MAX`. */
  itemReferences: readonly string[]
  /** All that it names; of either kind one more than `REFERENCES_MAX` at most. */
  references: ReferencesFound
  pointsElsewhere: boolean
  idsWorthKeeping: ReturnType<typeof idsWorthKeeping>
}

/** More than any conversation holds; what goes beyond counts as unknown. */
export const REFERENCES_MAX = 1_000

/** Throws a `Refusal` for a body that is no JSON, or no request of this shape. The bytes are known to be UTF-8. */
export function readFacts(bytes: Buffer, { shape }: { shape: TextShape }): BodyFacts {
  const value = parseJson(bytes, { nul: 'pass', valuesMax: VALUES_MAX, membersOnce: true })
  checkShape(shape, value)
  if (!isJsonObject(value)) throw new Refusal('invalid_json')
  // Two of them are refused.
  placeOfModel(bytes)
  const endpoint = shape === 'responses' ? 'responses' : 'messages'
  const isResponses = endpoint === 'responses'
  return {
    outline: outlineOf(value),
    inputCount: countBody({ bytes, value }),
    itemReferences: isResponses ? referencesIn(value).filter(isShort).slice(0, REFERENCES_MAX) : [],
    references: fewOf(referencesInBody(endpoint, value)),
    idsWorthKeeping: idsWorthKeeping(endpoint, value),
    pointsElsewhere: isResponses ? responsesPointElsewhere(value) : messagesPointElsewhere(value),
  }
}

/** What a request names instead of saying it. */
export function referencesInBody(endpoint: TextEndpoint, value: JsonObject): ReferencesFound {
  return endpoint === 'responses' ? referencesInResponses(value) : referencesInMessages(value)
}

/** So many that it shows when there are too many. */
function fewOf({ named, dispensable }: ReferencesFound): ReferencesFound {
  const few = (list: readonly Reference[]) =>
    list.slice(0, REFERENCES_MAX + 1).map(({ param, id }) => ({
      param: param.slice(0, MEMBER_LENGTH_MAX),
      id: id.slice(0, MEMBER_LENGTH_MAX),
    }))
  return { named: few(named), dispensable: few(dispensable) }
}

const MEMBERS_MAX = 64
const MEMBER_LENGTH_MAX = 1_024

function isShort(text: string): boolean {
  return text.length <= MEMBER_LENGTH_MAX
}

function outlineOf(value: JsonObject): JsonObject {
  const small = Object.entries(value).filter(([name, member]) => isShort(name) && isSmall(member))
  // The check has held its name to a length.
  return { ...Object.fromEntries(small.slice(0, MEMBERS_MAX)), model: value.model }
}

/** Of lists only the empty ones: a turn or a tool is not for the outline. */
function isSmall(member: unknown): boolean {
  if (typeof member === 'string') return isShort(member)
  if (Array.isArray(member)) return member.length === 0
  if (!isJsonObject(member)) return true
  const inner = Object.values(member)
  return inner.length <= 8 && inner.every((value) => typeof value !== 'object' && isSmall(value))
}
