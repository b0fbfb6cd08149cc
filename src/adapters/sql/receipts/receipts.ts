import { type RawBuilder, sql } from 'kysely'
import type { NewAudit } from '../../../ports/audit.ts'
import type {
  ReceiptKey,
  ReceiptSettlement,
  ReceiptStore,
  ReceiptTask,
  Revocation,
  StoredReceipt,
} from '../../../ports/receipts.ts'
import { insertAudit } from '../audit/audits.ts'
import { read, type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'

export const RECEIPTS = {
  find: read(async (db, id) => {
    const { rows } = await sql<StoredReceipt>`select ${RECEIPT} from receipts where id = ${id}`.execute(db)
    return rows[0] === undefined ? undefined : { ...rows[0] }
  }),

  findOfRequest: read(async (db, requestId) => {
    const { rows } = await sql<StoredReceipt>`
      select ${RECEIPT} from receipts where request_id = ${requestId} order by number limit 1`.execute(db)
    return rows[0] === undefined ? undefined : { ...rows[0] }
  }),

  findTask: read(async (db, id) => {
    const { rows } = await sql<Omit<ReceiptTask, 'settlement'>>`
      select id, organization_id as "organizationId", user_id as "userId", api_key_id as "keyId", model, provider,
        coalesce(served_model, model) as "servedModel", status,
        error_code as "errorCode", created_at_ms as "createdAtMs", completed_at_ms as "completedAtMs", ordered
      from video_tasks where id = ${id}`.execute(db)
    if (rows[0] === undefined) return undefined
    const { rows: settlements } = await sql<ReceiptSettlement>`
      select -ledger_entries.amount_micros as "chargedMicros", loss_micros + quote_loss_micros as "lossMicros",
        cost_unit as unit, cost_quantity as quantity, cost_price_micros as "priceMicros"
      from holds join ledger_entries on ledger_entries.hold_id = holds.id
      where holds.task_id = ${id} and ledger_entries.kind = 'settlement'`.execute(db)
    return { ...rows[0], settlement: settlements[0] === undefined ? null : { ...settlements[0] } }
  }),

  /** Uses the index `video_tasks_owing_receipts` of these tasks. */
  listOwing: read(async (db, { afterId, limit }) => {
    const { rows } = await sql<{ id: string }>`
      select id from video_tasks where owes_receipt and completed_at_ms is not null and id > ${afterId}
      order by id limit ${limit}`.execute(db)
    return rows.map(({ id }) => id)
  }),

  listRevocations: read(async (db, page) => {
    const { rows } = await unchainedRevocationsQuery(page).execute(db)
    return rows.map(({ files, ...row }) => ({ ...row, files: files === null ? [] : JSON.parse(files) }))
  }),

  findHead: read(async (db, organizationId) => {
    const { rows } = await sql<Pick<StoredReceipt, 'number' | 'hash'>>`
      select number, hash from receipts where organization_id = ${organizationId}
      order by number desc limit 1`.execute(db)
    return rows[0] === undefined ? undefined : { ...rows[0] }
  }),

  add: write(addReceipt),
  listKeys: read(async (db) => {
    const { rows } = await sql<ReceiptKey>`
      select id, public_key as "publicKey", sealed_private_key as "encryptedPrivateKey", created_at_ms as "createdAtMs"
      from receipt_keys order by sealed_private_key is null, created_at_ms desc, id desc`.execute(db)
    return rows.map((row) => ({ ...row }))
  }),

  addFirstKey: write(addFirstReceiptKey),
  replaceKey: write(replaceReceiptKey),
} satisfies StatementsOf<ReceiptStore>

const RECEIPT = sql`
  id, organization_id as "organizationId", api_key_id as "keyId", request_id as "requestId", number, hash, jws,
  made_at_ms as "madeAtMs"`

type RevocationRow = Omit<Revocation, 'files'> & { files: string | null }

/**
 * Uses the index `revocations_owing_receipts`. A replica of an earlier version does not set `has_receipt`,
 * so each row's receipt is looked up too; for a `not exists` PostgreSQL would read all receipts.
 */
export function unchainedRevocationsQuery({ limit }: { limit: number }): RawBuilder<RevocationRow> {
  return sql<RevocationRow>`
    select group_id as "groupId", organization_id as "organizationId", verified_at_ms as "verifiedAtMs",
      revoked_at_ms as "revokedAtMs", files
    from revocations
    where not has_receipt and (select number from receipts where receipts.id = revocations.group_id) is null
    order by revoked_at_ms, group_id limit ${limit}`
}

/** Adds a receipt. Returns false when it exists, or when another writer took its number. */
async function addReceipt(db: Db, receipt: StoredReceipt): Promise<boolean> {
  const { id, organizationId, keyId, requestId, number, hash, jws, madeAtMs } = receipt
  const { numAffectedRows } = await sql`
    insert into receipts (id, organization_id, api_key_id, request_id, number, hash, jws, made_at_ms)
    values (${id}, ${organizationId}, ${keyId}, ${requestId}, ${number}, ${hash}, ${jws}, ${madeAtMs})
    on conflict do nothing`.execute(db)
  if (numAffectedRows !== 1n) return false
  // The entry of a revocation has no API key.
  if (keyId === null) await sql`update revocations set has_receipt = true where group_id = ${id}`.execute(db)
  else {
    const table = sql.table(id.startsWith('clip_') ? 'clips' : 'video_tasks')
    await sql`update ${table} set owes_receipt = false where id = ${id} and owes_receipt`.execute(db)
  }
  return true
}

async function addFirstReceiptKey(db: Db, key: ReceiptKey): Promise<void> {
  const { rows } = await sql`select id from receipt_keys limit 1`.execute(db)
  if (rows.length === 0) await insertKey(db, key)
}

async function replaceReceiptKey(db: Db, key: ReceiptKey, audit: NewAudit): Promise<void> {
  await sql`
    update receipt_keys set sealed_private_key = null
    where sealed_private_key is not null`.execute(db)
  await insertKey(db, key)
  await insertAudit(db, audit)
}

async function insertKey(db: Db, input: ReceiptKey): Promise<void> {
  const { id, publicKey, encryptedPrivateKey, createdAtMs } = input
  await sql`
    insert into receipt_keys (id, public_key, sealed_private_key, created_at_ms)
    values (${id}, ${publicKey}, ${encryptedPrivateKey}, ${createdAtMs})`.execute(db)
}
