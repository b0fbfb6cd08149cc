import type { Secret } from '../secret.ts'

/** A configured vendor: its name is the first part of the model ids clients use. */
export type Provider = VendorAProvider | VendorBProvider | TextProvider

interface AnyProvider {
  name: string
  /** Without a slash at its end. */
  baseUrl: string
  apiKey: Secret
}

export interface VendorAProvider extends AnyProvider {
  driver: 'vendor-a'
  /** Our model name -> the vendor's own id. */
  models: ReadonlyMap<string, string>
  executionExpiresAfterSeconds: number
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
  /** Left out: two days. */
  executionExpiresAfterSeconds?: number
}

export type Dialect = 'messages' | 'responses' | 'chat'

export interface TextProvider extends AnyProvider {
  driver: 'text'
  versionHeader: string
  models: ReadonlyMap<string, { dialect: Dialect; upstream: string }>
}
