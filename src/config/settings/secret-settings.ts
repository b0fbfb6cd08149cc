import { secretText } from './kinds/text.ts'

/** A part of `SETTINGS`: secrets of this deployment. */
export const SECRET_SETTINGS = {
  SLUICE_SECRET: {
    group: 'secrets',
    kind: secretText({ min: 32, inHeader: false }),
    meaning:
      'Encrypts secrets in the store and makes the digests of API keys; losing it makes every key useless. Required with `DATABASE_URL`, the same on every replica. Unset without it: made once and kept in `DATA_DIR`.',
  },
  SLUICE_SECRET_PREVIOUS: {
    group: 'secrets',
    kind: secretText({ min: 32, inHeader: false }),
    meaning:
      'While `SLUICE_SECRET` is being changed: the one before. What was written under it is still read. `docs/operations.md` has the steps; `sluice doctor` says when it can be removed.',
  },
  ADMIN_API_KEY: {
    group: 'secrets',
    kind: secretText({ min: 16, inHeader: true }),
    meaning: 'The key of the admin endpoints, sent as `X-Admin-Key`. Unset: these endpoints do not exist.',
  },
} as const
