import { isJsonObject, type JsonObject } from '../../../domain/json-object.ts'
import { isNil } from '../../values/values.ts'

/** Everything that was said up to the end of a reply. */
export interface Conversation {
  /** Who served the reply: only that provider knows its reasoning by its ids. */
  provider: string
  /** The items as JSON, without the brackets of their list. */
  items: string
}

/** The same request as JSON with the whole conversation in its input, and the items of that. */
export function continueFrom(
  before: Conversation,
  body: JsonObject,
  provider: string,
): { json: string; items: string } {
  const { input, previous_response_id: _previous, ...rest } = body
  const known = before.provider === provider ? before.items : withoutBareReasoning(before.items)
  const items = joinItems(known, itemsOf(input))
  return { json: `{${JSON.stringify(rest).slice(1, -1)},"input":[${items}]}`, items }
}

export function joinItems(first: string, second: string): string {
  return first === '' || second === '' ? first + second : `${first},${second}`
}

/** As JSON without brackets. A text is short for one message of the user. */
export function itemsOf(list: unknown): string {
  if (typeof list === 'string') return JSON.stringify({ role: 'user', content: list })
  return Array.isArray(list) ? JSON.stringify(list).slice(1, -1) : ''
}

/** The same of a list that is JSON already. */
export function itemsIn(list: string): string {
  return list.startsWith('[') ? list.slice(1, -1).trim() : ''
}

/** Without its proof or its content a reasoning item is an id that another provider cannot look up. */
function withoutBareReasoning(items: string): string {
  const list: unknown[] = JSON.parse(`[${items}]`)
  const isBare = (item: unknown) =>
    isJsonObject(item) && item.type === 'reasoning' && isNil(item.encrypted_content)
  return JSON.stringify(list.filter((item) => !isBare(item))).slice(1, -1)
}
