import type { MediaKind, OrderOptions } from '../../request.ts'

export interface FamilyAOrder {
  family: 'a'
  /** The catalog's name without the provider, such as `gen-2.0`. */
  model: string
  items: readonly FamilyAItem[]
  options: OrderOptions
}

export type FamilyAItem =
  | { kind: 'text'; text: string }
  | { kind: MediaKind; url: string; role: string | undefined }
