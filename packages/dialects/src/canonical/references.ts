import { isJsonObject, type JsonObject } from '../json/json-object.ts'

/** Maximum number of references in a request. A search adds at most one more, which shows that there are too many. */
export const REFERENCES_MAX = 1_000

/** An id in a request that its vendor would look up in the account that all organizations share. */
export interface Reference {
  /** Position of the id: `input.0.id`. */
  param: string
  id: string
}

export interface ReferencesFound {
  /** Ids of content that only the vendor has: the organization must be allowed to name them. */
  named: Reference[]
  /** Ids of items whose content is in the request: the request means the same without them. */
  dispensable: Reference[]
}

/** Knowledge of a dialect about the members of its requests. */
export interface ReferenceRules {
  /** Members with JSON of the client's own: schemas, inputs of calls, metadata. */
  opaque: ReadonlySet<string>
  /** Whether a member with such a name is no reference: the client made the id, or it links parts of the request. */
  isHarmless(name: string, holder: JsonObject): boolean
}

/**
 * Adds the references in `value` to `found`, at any depth. A member with a name like `file_id`, `vector_store_ids`,
 * `fileId` or `FILE_ID` is a reference unless it is harmless or inside an opaque member. Vendors accept many spellings.
 */
export function findReferences(value: unknown, rules: ReferenceRules, found: Reference[]): void {
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) under(at, value[at], rules, found)
  } else if (isJsonObject(value)) {
    for (const name in value) findMember(value, name, rules, found)
  }
}

/** Adds the references in one member of an object. */
export function findMember(
  holder: JsonObject,
  name: string,
  rules: ReferenceRules,
  found: Reference[],
): void {
  const member = holder[name]
  if (member === null || member === undefined || typeof member === 'boolean') return
  if (isReferenceName(name)) {
    if (!rules.isHarmless(name, holder)) addIds(name, member, found)
    return
  }
  if (CONTAINER.test(name) && typeof member === 'string') addIds(name, member, found)
  if (typeof member === 'object' && !rules.opaque.has(name)) under(name, member, rules, found)
}

/** Adds every id in a member of any shape, because not every vendor insists on the documented shape. */
export function addIds(name: string, ids: unknown, found: Reference[]): void {
  if (found.length > REFERENCES_MAX) return
  if (typeof ids === 'string' ? ids !== '' : typeof ids === 'number')
    found.push({ param: name, id: String(ids) })
  if (typeof ids !== 'object' || ids === null) return
  for (const id of Object.values(ids)) addIds(name, id, found)
}

/** Adds references inside a member, with the member's key before their positions. */
function under(key: string | number, value: unknown, rules: ReferenceRules, found: Reference[]): void {
  if (typeof value !== 'object' || value === null) return
  const from = found.length
  findReferences(value, rules, found)
  prefixParams(found, from, key)
}

export function prefixParams(found: Reference[], from: number, key: string | number): void {
  for (let at = from; at < found.length; at += 1) {
    const reference = found[at]
    if (reference !== undefined) reference.param = `${key}.${reference.param}`
  }
}

function isReferenceName(name: string): boolean {
  // Skips most names early, because this function runs for most members of every request.
  const last = name.charCodeAt(name.length - 1) | 0x20
  if (last !== LETTER_D && last !== LETTER_S && last !== LONG_S) return false
  return SNAKE.test(name) || CAMEL.test(name)
}

const LETTER_D = 0x64
const LETTER_S = 0x73
/** Unicode case folding makes it an s. */
const LONG_S = 0x17f
const SNAKE = /(?:^|[_-])id[sſ]?$/i
const CAMEL = /[a-z0-9]I[Dd][sſ]?$/
const CONTAINER = /^container$/i

/**
 * Whether a part of a conversation names a file that the vendor keeps. Searches only members that hold parts: the
 * input of a tool may have a `file_id` of its own.
 */
export function namesFile(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(namesFile)
  if (!isJsonObject(part)) return false
  return typeof part.file_id === 'string' || HOLDERS.some((member) => namesFile(part[member]))
}

const HOLDERS = ['content', 'source', 'output']
