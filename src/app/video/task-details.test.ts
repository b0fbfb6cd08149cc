import { expect, test } from 'vitest'
import { createSecrets } from '../../adapters/system/secrets.ts'
import type { TaskDetailsStore } from '../../ports/task-details.ts'
import { taskDetails } from './task-details.ts'

test('lists and counts pass the organization to the store, whose reads take turns by organization', async () => {
  const asked: object[] = []
  const tasks: TaskDetailsStore = {
    findDetails: async () => undefined,
    listDetailed: async (query) => {
      asked.push(query)
      return []
    },
    countOwn: async (query) => {
      asked.push(query)
      return 0
    },
  }
  const secrets = createSecrets('a secret of more than thirty-two characters')
  const { listDetailedTasks, countTasks } = taskDetails({ tasks, secrets })
  const caller = { keyId: 'key_1', organizationId: 'org_1' }
  await listDetailedTasks({ caller, filter: {}, order: 'desc', limit: 1 })
  await countTasks({ caller, filter: {}, max: 1 })
  expect(asked).toMatchObject([caller, caller])
})
