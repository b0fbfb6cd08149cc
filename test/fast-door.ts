/** `TEST_FAST_DOOR=on` or `off` runs every HTTP test with this value of `FAST_DOOR`; unset: its default. */
const asked = process.env.TEST_FAST_DOOR

/** For gateways that are started from an environment. */
export const DOOR_ENVIRONMENT: Readonly<Record<string, string>> =
  asked === undefined ? {} : { FAST_DOOR: asked }

/** For servers that a test makes by itself. */
export const FAST_DOOR = asked !== 'off'
