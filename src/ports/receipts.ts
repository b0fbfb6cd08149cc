import type { Micros } from '../domain/billing/micros.ts'
import type { ErasedFile } from '../domain/video/clip.ts'
import type { CostTerms } from '../domain/video/cost-of-task.ts'
import type { TaskStatus } from '../domain/video/task.ts'
import type { NewAudit } from './audit.ts'
import type { TaskIdentity } from './tasks.ts'

export interface StoredReceipt {
  /** Id of the task, usage row, copied file or revoked group. */
  id: string
  organizationId: string
  /** null for an entry without an API key. */
  keyId: string | null
  /** Id by which clients ask for the receipt of a text request; null for other entries, and for some of an earlier version. */
  requestId: string | null
  /** Number from 1, without gaps. */
  number: number
  /** Hash that the next receipt names as `previous`. */
  hash: string
  /** The flattened JWS, as JSON. */
  jws: string
  madeAtMs: number
}

export interface ReceiptTask extends TaskIdentity {
  servedModel: string
  status: TaskStatus
  errorCode: string | null
  completedAtMs: number | null
  /** JSON; null: the task is older than this column. */
  ordered: string | null
  /** null: nothing was charged. */
  settlement: ReceiptSettlement | null
}

export interface ReceiptSettlement {
  chargedMicros: Micros
  /** Cost that was not charged, because a quote or the balance limited the charge. */
  lossMicros: Micros
  unit: CostTerms['unit'] | null
  quantity: number | null
  priceMicros: Micros | null
}

export interface Revocation {
  groupId: string
  organizationId: string
  verifiedAtMs: number
  revokedAtMs: number
  files: ErasedFile[]
}

/** A key that signs receipts, or did before. */
export interface ReceiptKey {
  /** The thumbprint of the public key (RFC 7638), which receipts name as `kid`. */
  id: string
  /** The 32 bytes in base64url. */
  publicKey: string
  /** null once another key signs. */
  encryptedPrivateKey: string | null
  createdAtMs: number
}

export interface ReceiptStore {
  find(id: string): Promise<StoredReceipt | undefined>
  /** Finds the receipt of a text request, of any organization. */
  findOfRequest(requestId: string): Promise<StoredReceipt | undefined>
  /** Finds a task of any organization. */
  findTask(id: string): Promise<ReceiptTask | undefined>
  listOwing(query: { afterId: string; limit: number }): Promise<string[]>
  /** Lists revocations without an entry in the chain, oldest first. */
  listRevocations(query: { limit: number }): Promise<Revocation[]>
  findHead(organizationId: string): Promise<Pick<StoredReceipt, 'number' | 'hash'> | undefined>
  /** Returns false when its number is taken, or its id has a receipt already. */
  add(receipt: StoredReceipt): Promise<boolean>
  /** Lists the signing key first, then the others, the newest first. */
  listKeys(): Promise<ReceiptKey[]>
  /** Does nothing when a key exists. */
  addFirstKey(key: ReceiptKey): Promise<void>
  /** Makes this key the signing one and erases the private keys of the others. */
  replaceKey(key: ReceiptKey, audit: NewAudit): Promise<void>
}
