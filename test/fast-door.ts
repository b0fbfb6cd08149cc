/** `TEST_FAST_DOOR=on` or `off` runs every HTTP test with this value of `FAST_DOOR`; unset: its default. */
const asked = process.env.TEST_FAST_DOOR

/** Environment for gateways that a test starts. */
export const DOOR_ENVIRONMENT: Readonly<Record<string, string>> =
  asked === undefined ? {} : { FAST_DOOR: asked }

/** Setting for servers that a test makes itself. */
export const FAST_DOOR = asked !== 'off'
