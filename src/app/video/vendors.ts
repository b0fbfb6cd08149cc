import type { VideoDriver } from '../../ports/video-driver.ts'

/** A configured vendor, ready to be asked. */
export interface Vendor {
  /** The provider's name: the first part of its models' names. */
  name: string
  driver: VideoDriver
  /** How long a task may take when the client does not say; undefined: two days. */
  expiresAfterSeconds: number | undefined
  /** The least time that a client may ask for, where the operator set one. */
  expiresMinSeconds?: number | undefined
}

/** undefined: no configured provider of this name makes videos. */
export type FindVendor = (provider: string) => Vendor | undefined
