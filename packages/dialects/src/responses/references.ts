import {
  addIds,
  findMember,
  namesFile,
  prefixParams,
  type Reference,
  type ReferenceRules,
  type ReferencesFound,
} from '../canonical/references.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { isNil } from '../values/values.ts'
import { encryptedIn } from './compaction/own-compactions.ts'
import { kindOfItem } from './wire.ts'

/**
 * Finds the references in a request of this dialect:
 *
 * - in the body: `prompt`, `prompt_cache_options.comparison_response_id`; `conversation` is refused before, and the content
 *   of `previous_response_id` has replaced it;
 * - in an item: `item_reference`, the `id` of an item of the vendor's own tools, reasoning without its content,
 *   `approval_request_id`, `container_id`, `file_id` in parts, results, annotations and screenshots;
 * - in a tool: `vector_store_ids`, `container` with its `file_ids`, `input_image_mask.file_id`, `environment.container_id`,
 *   `skill_id`, `tunnel_id`; also inside a namespace and in items that bring tools;
 * - and every other member with the name of an id.
 */
export function referencesInResponses(body: JsonObject): ReferencesFound {
  const found: ReferencesFound = { named: [], dispensable: [] }
  for (const name in body) {
    if (name === 'input') findInItems(body.input, found)
    else if (name === 'prompt') findPrompt(body.prompt, found.named)
    else findMember(body, name, RULES, found.named)
  }
  return found
}

/** Removes these ids from the items whose content is in the body. */
export function withoutItemIds(body: JsonObject, ids: ReadonlySet<string>): JsonObject {
  if (!Array.isArray(body.input)) return body
  const input = body.input.map((item: unknown) => {
    if (!isJsonObject(item) || !bringsContent(item) || !ids.has(String(item.id))) return item
    const { id: _dropped, ...rest } = item
    return rest
  })
  return { ...body, input }
}

const RULES: ReferenceRules = {
  opaque: new Set([
    ...['metadata', 'client_metadata', 'parameters', 'input_schema', 'output_schema', 'schema', 'arguments'],
    ...['headers', 'env', 'attributes', 'pending_safety_checks', 'acknowledged_safety_checks'],
  ]),
  isHarmless: (name) => HARMLESS.has(name),
}

const HARMLESS: ReadonlySet<string> = new Set(['call_id', 'caller_id', 'connector_id'])

function findPrompt(prompt: unknown, found: Reference[]): void {
  if (isNil(prompt)) return
  const { id } = Object(prompt)
  found.push({ param: 'prompt', id: typeof id === 'string' ? id : String(prompt) })
}

function findInItems(input: unknown, { named, dispensable }: ReferencesFound): void {
  if (!Array.isArray(input)) return
  for (let at = 0; at < input.length; at += 1) {
    const item: unknown = input[at]
    if (!isJsonObject(item)) continue
    const from = named.length
    for (const name in item) if (name !== 'id') findMember(item, name, RULES, named)
    // The output of a local shell names its call by `id`.
    if (!isNil(item.id) && item.type !== 'local_shell_call_output') {
      if (bringsContent(item)) dispensable.push({ param: `input.${at}.id`, id: String(item.id) })
      else addIds('id', item.id, named)
    }
    prefixParams(named, from, `input.${at}`)
  }
}

/** Whether an item has all its content. The vendor has more of every other item than the request shows. */
function bringsContent(item: JsonObject): boolean {
  const kind = kindOfItem(item) ?? ''
  return SEALED.has(kind) ? !isNil(item.encrypted_content) : WHOLE.has(kind)
}

const SEALED: ReadonlySet<string> = new Set(['reasoning', 'compaction'])
const WHOLE: ReadonlySet<string> = new Set([
  ...['message', 'function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output'],
  ...['local_shell_call', 'shell_call', 'shell_call_output', 'apply_patch_call', 'apply_patch_call_output'],
  ...['computer_call', 'computer_call_output', 'tool_search_call', 'tool_search_output', 'additional_tools'],
  ...['program', 'program_output', 'mcp_approval_response', 'configuration_update', 'compaction_trigger'],
])

/** Whether a request names something that only its vendor keeps and may have deleted: an earlier item, a file, a prompt. */
export function responsesReferenceVendorState({ input, prompt }: JsonObject): boolean {
  return !isNil(prompt) || (Array.isArray(input) && input.some(namesItem)) || namesFile(input)
}

/** A vendor looks up every item with an id, except for reasoning with its content. */
function namesItem(item: unknown): boolean {
  if (!isJsonObject(item) || typeof item.id !== 'string') return false
  return item.type !== 'reasoning' || isNil(item.encrypted_content)
}

/** The ids of earlier output that the input refers to instead of repeating it, in order. */
export function referencesIn(body: JsonObject): string[] {
  const { input } = body
  if (!Array.isArray(input)) return []
  const ids: string[] = []
  for (const item of input) {
    const id = referenceOf(item)
    if (id !== undefined) ids.push(id)
  }
  return ids
}

/**
 * Replaces compactions of the gateway, and references to `items`, by their content. A repeated reference stays: vendors
 * refuse duplicates, and a small body must not grow a thousandfold.
 */
export function resolveReferences(body: JsonObject, items: ReadonlyMap<string, object>): JsonObject {
  const { input } = body
  if (!Array.isArray(input)) return body
  const used = new Set<string>()
  const resolved = input.map((item: unknown) => {
    const encrypted = encryptedIn(item)
    if (encrypted !== undefined) return items.get(encrypted) ?? item
    const id = referenceOf(item)
    if (id === undefined || used.has(id)) return item
    used.add(id)
    return items.get(id) ?? item
  })
  return { ...body, input: resolved }
}

function referenceOf(item: unknown): string | undefined {
  if (!isJsonObject(item) || kindOfItem(item) !== 'item_reference') return undefined
  return typeof item.id === 'string' ? item.id : undefined
}
