/** What a create body may have at most; the parsers hold it to them and the reference shows them. */

export const CREATE_BODY_BYTES_MAX = 1024 * 1024

/** Far more than any task type has a use for. */
export const ITEMS_MAX = 128

export const TEXT_LENGTH_MAX = 100_000

/** Longer than any name a vendor has for a tier, a resolution or a task type. */
export const SHORT_TEXT_LENGTH_MAX = 128

export const DURATION_SECONDS_MIN = 4

/** A day: more than any vendor makes in one go, and little enough that estimates stay exact. */
export const DURATION_SECONDS_MAX = 86_400

/** Every answer about a task carries its metadata again. */
export const METADATA_BYTES_MAX = 16_384

/** Members of objects and elements of lists, over all levels. */
export const METADATA_MEMBERS_MAX = 256

/** Thirty days: a task's money is held until then, so there must be an end in sight. */
export const EXPIRES_AFTER_SECONDS_MAX = 2_592_000
