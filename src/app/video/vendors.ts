import { isConfiguredFor } from '../../domain/catalog/is-configured-for.ts'
import type { FamilyName } from '../../domain/video/families/families.ts'
import type { VideoDriver } from '../../ports/video-driver.ts'

/** A configured vendor, ready to be asked. */
export interface Vendor {
  /** The provider's name: the first part of its models' names. */
  name: string
  driver: VideoDriver
  makes: Makes
  /** How long a task may take when the client does not say; undefined: two days. */
  expiresAfterSeconds: number | undefined
  /** The least time that a client may ask for, where the operator set one. */
  expiresMinSeconds?: number | undefined
}

/** Whether a vendor can be sent orders of this model, by the second part of its name. Without a family only the name counts. */
type Makes = (order: { model: string; family?: FamilyName }) => boolean

/** undefined: no configured provider of this name makes videos. */
export type FindVendor = (provider: string) => Vendor | undefined

/** A driver makes orders of one family; `models` are those its provider is configured for, undefined: all of the family. */
export function makesModels({
  family: own,
  models,
}: {
  family: FamilyName
  models: { has(model: string): boolean } | undefined
}): Makes {
  return ({ model, family = own }) => family === own && isConfiguredFor({ models }, model)
}
