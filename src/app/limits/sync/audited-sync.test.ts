import { expect, test } from 'vitest'
import { ApiError } from '../../../domain/api-error.ts'
import type { NewAudit } from '../../../ports/audit.ts'
import { auditedSync } from './audited-sync.ts'
import type { QuotaSync } from './invalidations.ts'

const REFUSED = new ApiError('invalid_parameter')
const AWAY = new ApiError('store_unavailable')

function audited(parts: { work?: () => Promise<void>; add?: () => Promise<void> } = {}) {
  const rows: NewAudit[] = []
  const lines: string[] = []
  const write = (event: string) => void lines.push(event)
  const work = parts.work ?? (async () => {})
  const sync: QuotaSync = { organization: work, user: work, modelPrice: work }
  let ids = 0
  return {
    rows,
    lines,
    sync: auditedSync({
      sync,
      audit: {
        async add(row) {
          await parts.add?.()
          rows.push(row)
        },
        list: async () => [],
      },
      log: { debug: write, info: write, warn: write, error: write },
      newId: (prefix) => `${prefix}_${++ids}`,
      clock: { nowMs: () => 5, monotonicMs: () => 0 },
      actor: 'admin-api',
    }),
  }
}

test('each sync writes an audit row', async () => {
  const { sync, rows } = audited()
  await sync.organization('org_1')
  await sync.user('usr_1')
  await sync.modelPrice(7)
  const row = { atMs: 5, actor: 'admin-api', organizationId: null, detail: { outcome: 'ok' } }
  expect(rows).toEqual([
    { ...row, id: 'aud_1', action: 'quota.sync-organization', organizationId: 'org_1', subject: 'org_1' },
    { ...row, id: 'aud_2', action: 'quota.sync-user', subject: 'usr_1' },
    { ...row, id: 'aud_3', action: 'quota.sync-model-price', subject: '7' },
  ])
})

test.each([
  ['refused', REFUSED],
  ['failed', AWAY],
  ['failed', new Error('oops')],
])(
  'the audit row of a sync says that it was %s, and the sync rejects with its error',
  async (outcome, error) => {
    const { sync, rows } = audited({ work: () => Promise.reject(error) })
    await expect(sync.user('usr_1')).rejects.toBe(error)
    expect(rows).toMatchObject([{ action: 'quota.sync-user', detail: { outcome } }])
  },
)

test('a sync whose audit row cannot be written fails', async () => {
  const { sync } = audited({ add: () => Promise.reject(AWAY) })
  await expect(sync.user('usr_1')).rejects.toBe(AWAY)
})

test('a failed sync keeps its error when its audit row cannot be written', async () => {
  const { sync, lines } = audited({
    work: () => Promise.reject(REFUSED),
    add: () => Promise.reject(AWAY),
  })
  await expect(sync.user('usr_1')).rejects.toBe(REFUSED)
  expect(lines).toEqual(['audit.write_failed'])
})

test('a long id is cut, and stays well-formed Unicode', async () => {
  const { sync, rows } = audited()
  await sync.organization(`${'x'.repeat(199)}\u{1F30A}${'y'.repeat(1_000)}`)
  const id = `${'x'.repeat(199)}\ufffd`
  expect(rows).toMatchObject([{ organizationId: id, subject: id }])
})
