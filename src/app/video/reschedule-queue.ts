import type { Log } from '../../ports/log.ts'
import type { NextPoll, TaskStore } from '../../ports/tasks.ts'

export interface RescheduleQueue {
  add(next: NextPoll): void
  idle(): Promise<void>
}

/** While one group is written the next one is collected, so under load one write serves many polls. */
export function createRescheduleQueue(tools: {
  tasks: Pick<TaskStore, 'reschedule'>
  log: Log
}): RescheduleQueue {
  const { tasks, log } = tools
  let gathered: NextPoll[] = []
  let writing: Promise<void> | undefined

  return {
    add(next) {
      gathered.push(next)
      writing ??= writeAll()
    },
    async idle() {
      await writing
    },
  }

  async function writeAll(): Promise<void> {
    // Tasks that end in the same turn of the event loop are written together.
    await Promise.resolve()
    while (gathered.length > 0) {
      const group = gathered
      gathered = []
      try {
        await tasks.reschedule(group)
      } catch (error) {
        log.warn('task.return_failed', { count: group.length, error })
      }
    }
    writing = undefined
  }
}
