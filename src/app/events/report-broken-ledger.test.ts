import { expect, test } from 'vitest'
import type { NewEvent } from '../../domain/events/event.ts'
import type { LedgerReport } from '../billing/check-ledger.ts'
import { reportBrokenLedger } from './report-broken-ledger.ts'

test('broken rows of the ledger cause an event of that day, and a sound ledger causes none', async () => {
  const added: NewEvent[] = []
  let violations: LedgerReport['violations'] = []
  const check = reportBrokenLedger({
    checkLedger: async () => ({ violations }) as LedgerReport,
    events: { add: async (event) => void added.push(event) },
    calendar: { dayAt: () => '2026-11-18' } as never,
    clock: { nowMs: () => 7, monotonicMs: () => 7 },
  })
  await check()
  expect(added).toEqual([])
  violations = [
    { rule: 'a rule', subject: 'org_1', message: 'the balance differs' },
    { rule: 'a rule', subject: 'org_2', message: 'another one' },
  ] as never
  await check()
  expect(added).toEqual([
    {
      ...{ type: 'ledger.broken', organizationId: null, cause: 'ledger.broken:2026-11-18', atMs: 7 },
      data: { rows: 2, first: 'org_1: the balance differs' },
    },
  ])
})
