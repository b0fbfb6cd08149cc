import { describe, expect, test } from 'vitest'
import type { ReceiptKey, StoredReceipt } from '../../../src/ports/receipts.ts'
import type { GetOpened } from './opened-store.ts'
import { createFunded } from './sample-money.ts'
import { MORNING_MS, sampleAudit } from './sample-rows.ts'
import { beginAccepted, sampleMove } from './sample-task.ts'

function sampleReceipt(part: Partial<StoredReceipt> = {}): StoredReceipt {
  return {
    id: 'task_1',
    organizationId: 'org_1',
    keyId: 'key_1',
    requestId: null,
    number: 1,
    hash: 'hash-1',
    jws: '{"payload":"a","protected":"b","signature":"c"}',
    madeAtMs: MORNING_MS,
    ...part,
  }
}

function sampleKey(part: Partial<ReceiptKey> = {}): ReceiptKey {
  return { id: 'kid_1', publicKey: 'x', encryptedPrivateKey: 'sealed', createdAtMs: MORNING_MS, ...part }
}

export function describeReceipts(opened: GetOpened): void {
  const store = () => opened().store
  const receipts = () => store().receipts

  describe('receipts', () => {
    test('form one chain per organization, with each id and number once', async () => {
      expect(await receipts().findHead('org_1')).toBeUndefined()
      expect(await receipts().add(sampleReceipt())).toBe(true)
      expect(await receipts().add(sampleReceipt({ number: 2, hash: 'other' }))).toBe(false)
      expect(await receipts().add(sampleReceipt({ id: 'task_2', hash: 'other' }))).toBe(false)
      const second = sampleReceipt({ id: 'use_2', number: 2, hash: 'hash-2', keyId: null })
      expect(await receipts().add(second)).toBe(true)
      expect(await receipts().add(sampleReceipt({ id: 'task_9', organizationId: 'org_2' }))).toBe(true)
      expect(await receipts().findHead('org_1')).toEqual({ number: 2, hash: 'hash-2' })
      expect(await receipts().find('use_2')).toEqual(second)
      expect(await receipts().find('task_2')).toBeUndefined()
    })

    test('of a text request are found by the id of the request, without its usage row', async () => {
      const made = sampleReceipt({ id: 'use_1', requestId: 'req_1' })
      await receipts().add(made)
      expect(await receipts().findOfRequest('req_1')).toEqual(made)
      expect(await receipts().findOfRequest('use_1')).toBeUndefined()
      expect(await receipts().findOfRequest('req_2')).toBeUndefined()
    })

    test('of 20 writers of one number exactly one succeeds', async () => {
      const wanted = Array.from({ length: 20 }, (_, index) => sampleReceipt({ id: `task_${index}` }))
      const added = await Promise.all(wanted.map((receipt) => receipts().add(receipt)))
      expect(added.filter(Boolean)).toHaveLength(1)
    })

    test('are owed by ended tasks until they are made', async () => {
      await createFunded(store(), { balance: 1_000 })
      for (const id of ['task_1', 'task_2', 'task_3']) {
        await beginAccepted(store(), { id })
      }
      expect(await receipts().listOwing({ afterId: '', limit: 10 })).toEqual([])
      await store().tasks.move(sampleMove('succeeded', { id: 'task_1' }))
      await store().tasks.move(sampleMove('failed', { id: 'task_2' }))
      expect(await receipts().listOwing({ afterId: '', limit: 10 })).toEqual(['task_1', 'task_2'])
      expect(await receipts().listOwing({ afterId: 'task_1', limit: 10 })).toEqual(['task_2'])
      expect(await receipts().listOwing({ afterId: '', limit: 1 })).toEqual(['task_1'])
      await receipts().add(sampleReceipt())
      expect(await receipts().listOwing({ afterId: '', limit: 10 })).toEqual(['task_2'])
    })

    test('contain the task and its settlement: 60 micros for a success, none for a failure', async () => {
      await createFunded(store(), { balance: 1_000 })
      const ordered = '{"order":{"model":"m"},"persons":["group_1"]}'
      for (const id of ['task_1', 'task_2']) {
        await beginAccepted(store(), { id, ordered })
      }
      expect(await receipts().findTask('task_1')).toMatchObject({ completedAtMs: null, settlement: null })
      await store().tasks.move(sampleMove('succeeded', { id: 'task_1' }))
      await store().tasks.move(sampleMove('failed', { id: 'task_2' }))
      expect(await receipts().findTask('task_1')).toEqual({
        id: 'task_1',
        organizationId: 'org_1',
        userId: 'usr_1',
        keyId: 'key_1',
        model: 'vendorA/gen-2.0',
        provider: 'vendorA',
        servedModel: 'vendorA/gen-2.0',
        status: 'succeeded',
        errorCode: null,
        createdAtMs: MORNING_MS,
        completedAtMs: MORNING_MS + 1_000,
        ordered,
        settlement: {
          chargedMicros: 60,
          lossMicros: 0,
          unit: 'video_token',
          quantity: 60,
          priceMicros: 1_000_000,
        },
      })
      expect(await receipts().findTask('task_2')).toMatchObject({
        status: 'failed',
        errorCode: 'generation_failed',
        settlement: null,
      })
      expect(await receipts().findTask('task_9')).toBeUndefined()
    })

    test('of revocations are missing until their entry is made, the oldest first', async () => {
      await createFunded(store(), { balance: 1_000 })
      for (const [id, atMs] of [
        ['group_2', 5],
        ['group_1', 7],
      ] as const)
        await opened().runSql(`
          insert into revocations (group_id, organization_id, verified_at_ms, revoked_at_ms)
          values ('${id}', 'org_1', 1, ${atMs})`)
      const [older, newer] = ['group_2', 'group_1'].map((groupId, index) => ({
        ...{ groupId, organizationId: 'org_1', verifiedAtMs: 1, revokedAtMs: 5 + 2 * index },
        files: [],
      }))
      expect(await receipts().listRevocations({ limit: 9 })).toEqual([older, newer])
      expect(await receipts().listRevocations({ limit: 1 })).toEqual([older])
      await receipts().add(sampleReceipt({ id: 'group_2', keyId: null }))
      expect(await receipts().listRevocations({ limit: 9 })).toEqual([newer])
      const marked = 'select group_id from revocations where has_receipt'
      expect(await opened().runSql(marked)).toEqual([{ group_id: 'group_2' }])
      // A replica of an earlier version adds a receipt without marking its revocation.
      await opened().runSql(`
        insert into receipts (id, organization_id, number, hash, jws, made_at_ms)
        values ('group_1', 'org_1', 2, 'x', '{}', 1)`)
      expect(await receipts().listRevocations({ limit: 9 })).toEqual([])
    })

    test('are signed by one key at a time, and every public key stays', async () => {
      expect(await receipts().listKeys()).toEqual([])
      await receipts().addFirstKey(sampleKey())
      await receipts().addFirstKey(sampleKey({ id: 'kid_2' }))
      expect(await receipts().listKeys()).toEqual([sampleKey()])
      const next = sampleKey({ id: 'kid_3', createdAtMs: MORNING_MS - 5 })
      await receipts().replaceKey(next, sampleAudit({ action: 'receipt.rotate_key' }))
      expect(await receipts().listKeys()).toEqual([next, sampleKey({ encryptedPrivateKey: null })])
    })
  })
}
