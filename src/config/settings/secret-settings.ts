import { inGroup } from './in-group.ts'
import { secretText } from './kinds/text.ts'

export const SECRET_SETTINGS = inGroup('secrets', {
  SLUICE_SECRET: {
    kind: secretText({ min: 32, inHeader: false }),
    meaning:
      'Encrypts secrets in the store and makes the digests of API keys: without it every key is useless. Required with `DATABASE_URL`, the same on every replica. Otherwise Sluice makes one in `DATA_DIR`.',
  },
  SLUICE_SECRET_PREVIOUS: {
    kind: secretText({ min: 32, inHeader: false }),
    meaning:
      'The secret before, while `SLUICE_SECRET` is being changed. `docs/operations.md` has the steps; `sluice doctor` says when it can be removed.',
  },
  ADMIN_API_KEY: {
    kind: secretText({ min: 16, inHeader: true }),
    meaning: 'Key of the admin endpoints, sent as `X-Admin-Key`. Unset: they do not exist.',
  },
})
