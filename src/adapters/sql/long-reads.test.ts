import { expect, test } from 'vitest'
import { createLongReads } from './long-reads.ts'

function openReads(concurrentMax: number) {
  const reads = createLongReads({ concurrentMax })
  const begun: string[] = []
  const open: PromiseWithResolvers<string>[] = []
  const run = (organizationId: string) =>
    reads.run({ organizationId }, () => {
      begun.push(organizationId)
      const read = Promise.withResolvers<string>()
      open.push(read)
      return read.promise
    })
  return { reads, begun, open, run }
}

test('a few reads run at the same time, and organizations take turns', async () => {
  const { begun, open, run } = openReads(2)
  const first = run('a')
  for (let more = 0; more < 4; more += 1) void run('a')
  void run('b')
  expect(begun).toEqual(['a', 'a'])
  open[0]?.resolve('found')
  expect(await first).toBe('found')
  await expect.poll(() => begun).toEqual(['a', 'a', 'a'])
  open[1]?.resolve('')
  await expect.poll(() => begun).toEqual(['a', 'a', 'a', 'b'])
})

test('waiting reads of one organization are limited, and a failed read frees its slot', async () => {
  const { begun, open, run } = openReads(1)
  const failing = run('a')
  for (let waiting = 0; waiting < 32; waiting += 1) void run('a')
  await expect(run('a')).rejects.toMatchObject({ code: 'rate_limit_exceeded' })
  for (let waiting = 32; waiting < 58; waiting += 1) void run('b')
  await expect(run('b')).rejects.toMatchObject({ code: 'store_unavailable' })
  for (let waiting = 58; waiting < 64; waiting += 1) void run(`organization ${waiting}`)
  await expect(run('c')).rejects.toMatchObject({ code: 'store_unavailable' })
  open[0]?.reject(new Error('broken'))
  await expect(failing).rejects.toThrow('broken')
  await expect.poll(() => begun.length).toBe(2)
})

test('accepted reads finish before the close, and further reads are refused', async () => {
  const { reads, begun, open, run } = openReads(1)
  const answers = [run('a'), run('b')]
  const closed = reads.close()
  await expect(run('a')).rejects.toMatchObject({ code: 'store_unavailable' })
  for (const [index] of answers.entries()) {
    await expect.poll(() => begun.length).toBe(index + 1)
    open[index]?.resolve('found')
  }
  expect(await Promise.all(answers)).toEqual(['found', 'found'])
  await closed
})
