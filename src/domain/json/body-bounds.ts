/**
 * What a body may make the main thread do. JSON of few bytes can hold many values, and each of them costs what hundreds of
 * bytes of text cost: so both are bounded, and a text body that is beyond either is read on another thread.
 */
export const LIGHT_BYTES_MAX = 256 * 1024
export const LIGHT_VALUES_MAX = 8_192

/** The most values of any body; the longest conversations of agents have a tenth of it. */
export const VALUES_MAX = 262_144
