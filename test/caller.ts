import type { Caller } from '../src/domain/access/api-key.ts'

/** Whoever asks where it does not matter who. */
export const CALLER: Caller = {
  keyId: 'key_1',
  organizationId: 'org_1',
  userId: 'usr_1',
  keyRequestsPerMinute: null,
  organizationRequestsPerMinute: null,
}
