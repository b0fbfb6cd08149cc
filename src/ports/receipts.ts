import type { Micros } from '../domain/billing/micros.ts'
import type { CostTerms } from '../domain/video/cost-of-task.ts'
import type { TaskStatus } from '../domain/video/task.ts'
import type { NewAudit } from './audit.ts'

/** A signed receipt and its place in the chain of its organization. */
export interface StoredReceipt {
  /** Of the task or the usage row that it is for. */
  id: string
  organizationId: string
  /** null for an entry that no API key asked for. */
  keyId: string | null
  /** Of a text request: clients ask for its receipt by this id. null for other entries, and for some that an earlier version made. */
  requestId: string | null
  /** From 1, without gaps. */
  number: number
  /** What the receipt behind it names as `previous`. */
  hash: string
  /** The flattened JWS, as JSON. */
  jws: string
  madeAtMs: number
}

/** What the receipt of a task is made of. */
export interface ReceiptTask {
  id: string
  organizationId: string
  userId: string
  keyId: string
  model: string
  provider: string
  /** The model that made it: the asked one, or one that stepped in. */
  servedModel: string
  status: TaskStatus
  errorCode: string | null
  createdAtMs: number
  completedAtMs: number | null
  /** JSON; null: a task from before orders were kept. */
  ordered: string | null
  /** null: nothing was charged. */
  settlement: ReceiptSettlement | null
}

export interface ReceiptSettlement {
  chargedMicros: Micros
  /** What the use came to beyond what was charged: of a quote, or of the balance. */
  lossMicros: Micros
  unit: CostTerms['unit'] | null
  quantity: number | null
  priceMicros: Micros | null
}

/** A verified person took the consent back. */
export interface Revocation {
  groupId: string
  organizationId: string
  verifiedAtMs: number
  revokedAtMs: number
}

/** A key that signs receipts, or signed some. */
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
  /** Of a text request, of any organization. */
  findOfRequest(requestId: string): Promise<StoredReceipt | undefined>
  /** Of any organization. */
  findTask(id: string): Promise<ReceiptTask | undefined>
  /** Ids of tasks that have ended and have no receipt, in ascending order. */
  listOwing(query: { afterId: string; limit: number }): Promise<string[]>
  /** Those without an entry in the chain, the oldest first. */
  listRevocations(query: { limit: number }): Promise<Revocation[]>
  /** The newest of the chain; undefined: it has none. */
  findHead(organizationId: string): Promise<Pick<StoredReceipt, 'number' | 'hash'> | undefined>
  /** False when its number is taken, or there is one for the same id. */
  add(receipt: StoredReceipt): Promise<boolean>
  /** The newest first. */
  listKeys(): Promise<ReceiptKey[]>
  /** Nothing happens where there is a key already. */
  addFirstKey(key: ReceiptKey): Promise<void>
  /** From now on this one signs; the private keys of the others are erased. */
  replaceKey(key: ReceiptKey, audit: NewAudit): Promise<void>
}
