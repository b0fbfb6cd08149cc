import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { describeAllowances } from './allowance-contract.ts'
import { describeApiKeys } from './api-keys-contract.ts'
import { describeAudit } from './audit-contract.ts'
import { describeCredit } from './credit-contract.ts'
import { describeLedgerCheck } from './ledger-check-contract.ts'
import { describeLedger } from './ledger-contract.ts'
import { describeLife } from './life-contract.ts'
import { describeModels } from './models-contract.ts'
import type { OpenedStore } from './opened-store.ts'
import { describeOrganizations } from './organizations-contract.ts'
import { describeTasks } from './tasks-contract.ts'
import { describeUsage } from './usage-contract.ts'
import { describeUsers } from './users-contract.ts'

/** What every engine must do, whichever it is. */
export function describeStore(name: string, open: () => Promise<OpenedStore>): void {
  describe(`the store on ${name}`, () => {
    let opened: OpenedStore
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.cleanUp())
    beforeEach(async () => {
      for (const table of [
        'audit_events',
        'text_usage',
        'ledger_entries',
        'holds',
        'user_days',
        'video_callbacks',
        'video_tasks',
        'api_keys',
        'users',
        'organizations',
        'models',
      ]) {
        await opened.runSql(`delete from ${table}`)
      }
    })

    describeOrganizations(() => opened)
    describeUsers(() => opened)
    describeApiKeys(() => opened)
    describeModels(() => opened)
    describeTasks(() => opened)
    describeAudit(() => opened)
    describeLedger(() => opened)
    describeCredit(() => opened)
    describeLedgerCheck(() => opened)
    describeAllowances(() => opened)
    describeUsage(() => opened)
    describeLife(() => opened)
  })
}
