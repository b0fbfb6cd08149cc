import type { Secret } from '../../../config/secret.ts'
import { DIALECTS, type Dialect, EMBEDDINGS_PATH } from '../../../domain/catalog/dialects.ts'
import type { ProviderOperation } from '../../../ports/text-provider.ts'

/** Where a provider takes requests of some dialects, if not where their first vendor does. */
export type OwnPaths = Partial<Record<Dialect, string | undefined>>

/** Where a request is sent, after the provider's address. */
export function pathOf(dialect: Dialect, operation: ProviderOperation, own: OwnPaths): string {
  const { path, countPath, compactPath } = DIALECTS[dialect]
  if (operation === 'embed') return embeddingsPath(own)
  if (operation === 'create') return own[dialect] ?? path
  const found = operation === 'compact' ? compactPath : countPath
  if (found === undefined) throw new Error(`vendors of the ${dialect} dialect have no ${operation}`)
  return found
}

/** Vendors whose chat completions are elsewhere have embeddings beside them. */
function embeddingsPath({ chat = '' }: OwnPaths): string {
  return chat.includes(CHAT_WORDS) ? chat.replace(CHAT_WORDS, '/embeddings') : EMBEDDINGS_PATH
}

const CHAT_WORDS = '/chat/completions'

interface HeaderWords {
  key: Pick<Secret, 'reveal'>
  /** What this provider calls the version header. */
  versionHeader: string
  version?: string | undefined
  betas?: string | undefined
}

export function headersOf(dialect: Dialect, { key, versionHeader, version, betas }: HeaderWords) {
  const { keyHeader, knownVersion, betaHeader } = DIALECTS[dialect]
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  headers[keyHeader] = keyHeader === 'authorization' ? `Bearer ${key.reveal()}` : key.reveal()
  if (knownVersion !== undefined) headers[versionHeader] = version ?? knownVersion
  if (betas !== undefined) headers[betaHeader] = betas
  return headers
}

interface Remembered extends Omit<HeaderWords, 'key' | 'versionHeader'> {
  headers: Readonly<Record<string, string>>
}

/** The headers of a call with one of a provider's keys. */
export type HeadersFor = (
  dialect: Dialect,
  key: HeaderWords['key'],
  said: Pick<HeaderWords, 'version' | 'betas'>,
) => Readonly<Record<string, string>>

/**
 * Remembers the last headers of each key and dialect: most clients of a provider say the same, and of frozen headers the
 * upstream client remembers the bytes.
 */
export function rememberHeaders(versionHeader: string): HeadersFor {
  const dialects = new Map<Dialect, WeakMap<object, Remembered>>()
  return (dialect, key, { version, betas }) => {
    const last = dialects.get(dialect) ?? new WeakMap<object, Remembered>()
    dialects.set(dialect, last)
    const before = last.get(key)
    if (before !== undefined && before.version === version && before.betas === betas) return before.headers
    const headers = Object.freeze(headersOf(dialect, { key, versionHeader, version, betas }))
    last.set(key, { version, betas, headers })
    return headers
  }
}
