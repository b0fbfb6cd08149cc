/** Bounds of a create body; the parsers enforce them and the reference shows them. */

export const CREATE_BODY_BYTES_MAX = 1024 * 1024

/** Enough for one image with its fields. */
export const FORM_BYTES_MAX = 16 * 1024 * 1024

/** Far more than any task type uses. */
export const ITEMS_MAX = 128

export const TEXT_LENGTH_MAX = 100_000

/** Longer than any name a vendor has for a tier, a resolution or a task type. */
export const SHORT_TEXT_LENGTH_MAX = 128

export const DURATION_SECONDS_MIN = 4

/** One day: more than any vendor makes at once, and small enough that estimates stay exact. */
export const DURATION_SECONDS_MAX = 86_400

/** Bounded because every response about a task contains its metadata. */
export const METADATA_BYTES_MAX = 16_384

/** Members of objects and elements of lists, over all levels. */
export const METADATA_MEMBERS_MAX = 256

/** Thirty days, bounded because the money of a task is held until then. */
export const EXPIRES_AFTER_SECONDS_MAX = 2_592_000
