import { expect, test } from 'vitest'
import { type Job, JobSlots } from './job-slots.ts'

test('organizations take turns when all have waiting jobs and there are fewer slots', async () => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const slots = new JobSlots<Job>({
    slots: 2,
    slotsEach: 1,
    run: ({ organizationId }) => {
      begun.push(organizationId)
      return new Promise((resolve) => ends.push(resolve))
    },
  })
  for (let job = 0; job < 3; job += 1)
    for (const organizationId of ['a', 'b', 'c', 'd'])
      slots.add({ key: `${organizationId}${job}`, organizationId })
  slots.fill()
  while (begun.length < 8) {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd'])
  for (let waiting = slots.takeWaiting(); waiting.length > 0; waiting = slots.takeWaiting());
  for (const end of ends) end()
  await slots.idle()
})
