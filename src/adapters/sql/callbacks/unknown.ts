/** In place of an attempt's result while nobody has told it. */
export const UNKNOWN = 'unknown'
