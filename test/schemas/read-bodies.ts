import { isJsonObject, type JsonObject } from '@sluice/dialects/json/json-object'
import { URL_LENGTH_MAX } from '../../src/domain/parse-https-url.ts'

export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((count, member) => count + 1 + countMembers(member), 0)
}

/** Tools of the body, and tools that agents add in its input. */
export function toolsOf({ tools, input }: JsonObject): JsonObject[] {
  const items: unknown[] = Array.isArray(input) ? input : []
  return [tools, ...items.filter(isJsonObject).map((item) => item.tools)]
    .flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
    .filter(isJsonObject)
}

export function textItem(text: string): JsonObject {
  return { type: 'text', text }
}

/** The items that have an effect, without what has none. */
export function itemsOf(content: readonly unknown[]): unknown[] {
  return content.filter(isJsonObject).flatMap((item): unknown[] => {
    const { type, role } = item
    if (type === 'text') return isVisible(item.text) ? [{ type, text: item.text, role: role ?? null }] : []
    if (type !== 'image_url' && type !== 'video_url' && type !== 'audio_url') return []
    const holder = item[type]
    if (!isJsonObject(holder) || !isVisible(holder.url)) return []
    const tag = typeof item.tag === 'string' ? item.tag : null
    const time = typeof item.time_stamp === 'number' ? item.time_stamp : null
    return [{ type, [type]: { url: holder.url }, role: role ?? null, tag, time_stamp: time }]
  })
}

function isVisible(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== ''
}

export function trimmed(body: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      names.includes(name) && typeof value === 'string' ? value.trim() : value,
    ]),
  )
}

export function withoutEmpty(body: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => value !== '' || !names.includes(name)),
  )
}

export function withItems(body: JsonObject, change: (item: JsonObject) => unknown): JsonObject {
  if (!Array.isArray(body.content)) return body
  return { ...body, content: body.content.map((item: unknown) => (isJsonObject(item) ? change(item) : item)) }
}

export function trimUrl(item: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      isJsonObject(value) ? trimmed(value, ['url']) : value,
    ]),
  )
}

export function urlsOf({ content, callback_url: callback }: JsonObject): string[] {
  const items: unknown[] = Array.isArray(content) ? content : []
  const urls = items
    .filter(isJsonObject)
    .flatMap((item) => Object.values(item).filter(isJsonObject))
    .map(({ url }) => url)
  return [...urls, callback].filter((url) => typeof url === 'string')
}

export function hasPlainHost(url: string): boolean {
  const parsed = URL.parse(url.trim())
  if (parsed === null || parsed.username !== '' || parsed.password !== '') return false
  return (
    !/^\d+(?:\.\d+){3}$/.test(parsed.hostname) ||
    url.trim().slice('https://'.length).startsWith(parsed.hostname)
  )
}

/** Whether a URL at any place in a text request cannot be judged by a pattern. */
export function holdsOddUrl(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(holdsOddUrl)
  if (typeof value !== 'string' || !/^https?:/i.test(value)) return false
  return value.length > URL_LENGTH_MAX || /[\\\p{Cc}]/u.test(value) || !hasPlainHost(value)
}

export function hasUnusualName(body: JsonObject): boolean {
  return Object.keys(body).some((name) => !/^[a-z0-9_]+$/.test(name))
}

export function blocksOf({ messages }: JsonObject): JsonObject[] {
  const all: unknown[] = Array.isArray(messages) ? messages : []
  return all
    .filter(isJsonObject)
    .flatMap(({ content }): unknown[] => (Array.isArray(content) ? content : []))
    .filter(isJsonObject)
}

export function sourcesOf(body: JsonObject): JsonObject[] {
  return blocksOf(body)
    .map(({ source }) => source)
    .filter(isJsonObject)
}

export function holdsAny(content: unknown): boolean {
  return Array.isArray(content) && content.length > 0
}
