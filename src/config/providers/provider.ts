import type { ChatVariant } from '../../domain/catalog/chat-variant.ts'
import type { Dialect } from '../../domain/catalog/dialect.ts'
import type { Secret } from '../secret.ts'

/** A configured vendor: its name is the first part of the model ids clients use. */
export type Provider = VendorAProvider | VendorBProvider | TextProvider

interface AnyProvider {
  name: string
  /** Without a slash at its end. */
  baseUrl: string
}

export interface VendorAProvider extends AnyProvider {
  driver: 'vendor-a'
  apiKey: Secret
  /** Our model name -> the vendor's own id. */
  models: ReadonlyMap<string, string>
  executionExpiresAfterSeconds: number
  /** The least time that a client may ask for; undefined: any. */
  executionExpiresMinSeconds?: number | undefined
  /** undefined: no assets and no verified persons. */
  assets: AssetService | undefined
}

export interface AssetService {
  endpoint: string
  accessKey: Secret
  secretKey: Secret
  region: string
  service: string
  project: string
  tokenField: string
}

export interface VendorBProvider extends AnyProvider {
  driver: 'vendor-b'
  apiKey: Secret
  /** Left out: two days. */
  executionExpiresAfterSeconds?: number
  /** The least time that a client may ask for; undefined: any. */
  executionExpiresMinSeconds?: number | undefined
}

export interface TextProvider extends AnyProvider {
  driver: 'text'
  /** At least one. */
  keys: readonly WeighedKey[]
  versionHeader: string
  models: ReadonlyMap<string, TextModel>
  /** The one organization that its account belongs to. Left out: all of them share it. */
  organizationId?: string | undefined
  /** Where its chat completions are, and what they want otherwise. Left out: as usual. */
  chat?: ChatSettings | undefined
}

export interface ChatSettings extends ChatVariant {
  path: string
}

/** One of several keys, and its share of the calls beside the others' weights. */
export interface WeighedKey {
  key: Secret
  weight: number
}

export interface TextModel {
  dialect: Dialect
  /** The vendor's own id. */
  upstream: string
  /** Whether the vendor counts tokens for it; only the messages dialect has it. */
  countsTokens: boolean
  /** Whether it takes a word about its reasoning. */
  reasons: boolean
}
