import type { Caller, StoredCaller } from '../src/domain/access/api-key.ts'

/** A caller for tests in which any caller will do. */
export const CALLER: Caller = {
  keyId: 'key_1',
  organizationId: 'org_1',
  userId: 'usr_1',
  keyRequestsPerMinute: null,
  organizationRequestsPerMinute: null,
  keepReplies: null,
  allowedModels: null,
  hasBudget: false,
}

/** Caller as the store returns it. */
export const STORED_CALLER: StoredCaller = { ...CALLER, disabled: null, expiresAtMs: null }
