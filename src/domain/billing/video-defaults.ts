/** What a request that leaves it out is taken to mean when its cost is estimated. */
export const DEFAULT_RESOLUTION = '720p'
export const DEFAULT_SECONDS = 5
export const UNKNOWN_REFERENCE_SECONDS = 15
