import { DIALECTS, type Dialect } from '@sluice/dialects/dialect-facts'
import type { Secret } from '../../../config/secret.ts'
import { EMBEDDINGS_PATH } from '../../../domain/catalog/model-endpoints.ts'
import type { ProviderOperation } from '../../../ports/text-provider.ts'

/** Paths of dialects that differ from the usual ones. */
export type OwnPaths = Partial<Record<Dialect, string | undefined>>

/** Returns the path of a request, without the provider's base address. */
export function pathOf(dialect: Dialect, operation: ProviderOperation, own: OwnPaths): string {
  const { path, countPath, compactPath } = DIALECTS[dialect]
  if (operation === 'embed') return embeddingsPath(own)
  if (operation === 'create') return own[dialect] ?? path
  const found = operation === 'compact' ? compactPath : countPath
  if (found === undefined) throw new Error(`vendors of the ${dialect} dialect have no ${operation}`)
  return found
}

/** Vendors with another path for chat completions have embeddings beside that path. */
function embeddingsPath({ chat = '' }: OwnPaths): string {
  return chat.includes(CHAT_PATH) ? chat.replace(CHAT_PATH, '/embeddings') : EMBEDDINGS_PATH
}

const CHAT_PATH = '/chat/completions'

interface HeaderOptions {
  key: Pick<Secret, 'reveal'>
  versionHeader: string
  version?: string | undefined
  betas?: string | undefined
}

export function headersOf(dialect: Dialect, { key, versionHeader, version, betas }: HeaderOptions) {
  const { keyHeader, knownVersion, betaHeader } = DIALECTS[dialect]
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  headers[keyHeader] = keyHeader === 'authorization' ? `Bearer ${key.reveal()}` : key.reveal()
  if (knownVersion !== undefined) headers[versionHeader] = version ?? knownVersion
  if (betas !== undefined) headers[betaHeader] = betas
  return headers
}

interface CachedHeaders extends Omit<HeaderOptions, 'key' | 'versionHeader'> {
  headers: Readonly<Record<string, string>>
}

export type HeadersFor = (
  dialect: Dialect,
  key: HeaderOptions['key'],
  options: Pick<HeaderOptions, 'version' | 'betas'>,
) => Readonly<Record<string, string>>

/**
 * Caches the last headers of each key and dialect, because most clients of a provider send the same options,
 * and because the upstream client caches the bytes of frozen headers.
 */
export function cacheHeaders(versionHeader: string): HeadersFor {
  const dialects = new Map<Dialect, WeakMap<object, CachedHeaders>>()
  return (dialect, key, { version, betas }) => {
    const last = dialects.get(dialect) ?? new WeakMap<object, CachedHeaders>()
    dialects.set(dialect, last)
    const before = last.get(key)
    if (before !== undefined && before.version === version && before.betas === betas) return before.headers
    const headers = Object.freeze(headersOf(dialect, { key, versionHeader, version, betas }))
    last.set(key, { version, betas, headers })
    return headers
  }
}
