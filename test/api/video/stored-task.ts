import { micros } from '../../../src/domain/billing/micros.ts'
import type { WholeTask } from '../../../src/ports/tasks.ts'

/** A queued task of family A with these changes. */
export function storedTask(changes: Partial<WholeTask> = {}): WholeTask {
  return {
    id: 'task_1',
    organizationId: 'org_1',
    userId: 'usr_1',
    keyId: 'key_1',
    model: 'vendorA/gen-2.0',
    provider: 'vendorA',
    attempt: 1,
    attemptAtMs: null,
    servedModel: 'vendorA/gen-2.0',
    standIns: [],
    status: 'queued',
    metadata: '{}',
    encryptedTicket: null,
    encryptedContent: null,
    error: null,
    pricing: { unit: 'video_token', priceMicros: micros(7_000_000), estimatedTokens: 108_900 },
    encryptedCallbackUrl: null,
    owesCallback: false,
    createdAtMs: 0,
    updatedAtMs: null,
    completedAtMs: null,
    deletedAtMs: null,
    expiresAtMs: 172_800_000,
    withheldAtMs: null,
    ...changes,
  }
}
