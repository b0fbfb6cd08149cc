import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { isNil } from '../../values/values.ts'

/** The conversation up to the end of a reply. */
export interface Conversation {
  /** The provider that served the reply: only that one knows its reasoning by ids. */
  provider: string
  /** The items as JSON, without the brackets of their list. */
  items: string
}

/** Puts the whole conversation into the input of a request; returns the request as JSON, and its items. */
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

/** The items as JSON without brackets. A string stands for one message of the user. */
export function itemsOf(list: unknown): string {
  if (typeof list === 'string') return JSON.stringify({ role: 'user', content: list })
  return Array.isArray(list) ? JSON.stringify(list).slice(1, -1) : ''
}

/** The items of a list that is JSON already, without brackets. */
export function itemsIn(list: string): string {
  return list.startsWith('[') ? list.slice(1, -1).trim() : ''
}

/** A reasoning item without `encrypted_content` is only an id, which another provider cannot look up. */
function withoutBareReasoning(items: string): string {
  const list: unknown[] = JSON.parse(`[${items}]`)
  const isBare = (item: unknown) =>
    isJsonObject(item) && item.type === 'reasoning' && isNil(item.encrypted_content)
  return JSON.stringify(list.filter((item) => !isBare(item))).slice(1, -1)
}
