import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { describeApiKeys } from './api-keys-contract.ts'
import { describeLife } from './life-contract.ts'
import { describeModels } from './models-contract.ts'
import type { OpenedStore } from './opened-store.ts'
import { describeOrganizations } from './organizations-contract.ts'
import { describeTasks } from './tasks-contract.ts'
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
      for (const table of ['video_tasks', 'api_keys', 'users', 'organizations', 'models']) {
        await opened.runSql(`delete from ${table}`)
      }
    })

    describeOrganizations(() => opened)
    describeUsers(() => opened)
    describeApiKeys(() => opened)
    describeModels(() => opened)
    describeTasks(() => opened)
    describeLife(() => opened)
  })
}
