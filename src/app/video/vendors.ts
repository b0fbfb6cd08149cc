import { ApiError } from '../../domain/api-error.ts'
import { isConfiguredFor } from '../../domain/catalog/is-configured-for.ts'
import type { FamilyName } from '../../domain/video/families/families.ts'
import type { VideoDriver } from '../../ports/video-driver.ts'

export interface Vendor {
  /** First part of the names of its models. */
  name: string
  driver: VideoDriver
  makes: Makes
  /** Time limit of a task when the client sets none; undefined: two days. */
  expiresAfterSeconds: number | undefined
  /** Minimum time that a client may set; undefined: the operator set none. */
  expiresMinSeconds?: number | undefined
}

/** Whether a vendor takes orders of this model. `model` is the second part of its name. Without a family only it counts. */
type Makes = (order: { model: string; family?: FamilyName }) => boolean

/** Returns undefined when no configured provider of this name makes videos. */
export type FindVendor = (provider: string) => Vendor | undefined

/** A driver takes orders of one family. `models` are the configured models of its provider; undefined: all of the family. */
export function makesModels(input: {
  family: FamilyName
  models: { has(model: string): boolean } | undefined
}): Makes {
  const { family: own, models } = input
  return ({ model, family = own }) => family === own && isConfiguredFor({ models }, model)
}

/** A vendor that takes no new orders. Its open tasks are still read and deleted. */
export function closedVendor(vendor: Vendor): Vendor {
  const refused = { kind: 'refused', apiError: new ApiError('provider_not_configured') } as const
  return { ...vendor, makes: () => false, driver: { ...vendor.driver, create: async () => refused } }
}

/** When `vendor` reports a task as gone, reads it from `older`, which had the same name before. Deletes go to `vendor`. */
export function withOlderTasksAt(older: Vendor, vendor: Vendor): Vendor {
  return {
    ...vendor,
    driver: {
      ...vendor.driver,
      async read(ticket, organizationId) {
        const reading = await vendor.driver.read(ticket, organizationId)
        return reading.kind === 'gone' ? older.driver.read(ticket, organizationId) : reading
      },
    },
  }
}
