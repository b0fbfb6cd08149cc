import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { type Conversation, continueFrom } from '../responses/kept/conversation.ts'
import { memberOf, withMembers } from '../responses/kept/response-json.ts'
import { keepNumbers } from '../values/keep-numbers.ts'

/** A kept value: one long member as text, and an object with the other members, in which that member is null. */
export interface SplitValue {
  member: string
  rest: JsonObject
}

/** Splits off one member: a string as its text, any other value as its JSON. */
export function splitValue(json: string, name: string): SplitValue {
  const member = memberOf(json, name) ?? '{}'
  return {
    member: member.startsWith('"') ? String(JSON.parse(member)) : member,
    rest: objectIn(withMembers(json, { [name]: 'null' })),
  }
}

/** A request that continues a conversation. */
export interface Continuing {
  /** The request, as JSON. */
  request: string
  /** The provider that is asked now. */
  provider: string
}

/** Returns the request with the whole conversation in its input, and the items of the conversation, both as JSON. */
export function continueRequest(before: Conversation, { request, provider }: Continuing) {
  return continueFrom(before, keepNumbers(objectIn(request), request), provider)
}

/** A decrypted value as bytes, which go to another thread as they are. */
export interface OpenedValue {
  body: Uint8Array
  rest: JsonObject
}

export function openedValue(text: string, name: string | undefined): OpenedValue {
  const { member, rest } = name === undefined ? { member: text, rest: {} } : splitValue(text, name)
  return { body: Buffer.from(member), rest }
}

export interface ContinuedBody {
  body: Uint8Array
  items: Uint8Array
}

/** `text` is a stored conversation, or only its items if `before` names its provider. */
export function continuedBody(
  text: string,
  { before, ...continuing }: Continuing & { before?: string },
): ContinuedBody {
  const known: Conversation = before === undefined ? JSON.parse(text) : { provider: before, items: text }
  const { json, items } = continueRequest(known, continuing)
  return { body: Buffer.from(json), items: Buffer.from(items) }
}

export function objectIn(json: string): JsonObject {
  const value: unknown = JSON.parse(json)
  return isJsonObject(value) ? value : {}
}
