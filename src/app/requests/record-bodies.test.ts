import { expect, test } from 'vitest'
import type { Runtime } from '../runtime.ts'
import { type RecordedBody, recordBodies } from './record-bodies.ts'

const KB = 1024

function textOf(bytes: number): string {
  return 'a word '.repeat(bytes).slice(0, bytes)
}

test('an organization that fills the memory for recorded bodies leaves room for another one', async () => {
  const written = new Map<string, RecordedBody>()
  const log = recordBodies({
    log: { warn: (_event: string, fields: { error: Error }) => expect.unreachable(String(fields.error)) },
    secrets: { encrypt: (text: string) => text },
    values: { set: async (key: string, value: string) => void written.set(key, JSON.parse(value)) },
    organizations: { find: async () => ({ state: 'active' }) },
    turns: { take: (_holder: string, run: () => void) => run() },
    keptMs: 1,
  } as unknown as Pick<Runtime, 'log' | 'secrets'> & Parameters<typeof recordBodies>[0])
  const begin = (organizationId: string, requestId: string, bytes: number) =>
    log.begin({
      requestId,
      caller: { organizationId, recordBodies: 'all' } as Parameters<typeof log.begin>[0]['caller'],
      body: Buffer.from(textOf(bytes)),
    })
  const open = Array.from({ length: 400 }, (_, at) => begin('org_many', `many-${at}`, 256 * KB))
  const other = begin('org_other', 'other', 200 * KB)
  other?.add(textOf(200 * KB))
  for (const recording of [...open, other]) recording?.end(false)
  await log.close()

  const bytesOf = (key: string) => Buffer.byteLength(written.get(`body:${key}`)?.request ?? '')
  expect(open.map((_, at) => bytesOf(`many-${at}`)).reduce((sum, bytes) => sum + bytes)).toBe(52 * KB * KB)
  expect(written.get('body:other')).toMatchObject({ truncated: false })
  expect(bytesOf('other') + (written.get('body:other')?.response?.length ?? 0)).toBe(400 * KB)

  // The memory is free again after the writes.
  begin('org_many', 'later', 256 * KB)?.end(false)
  await log.close()
  expect(bytesOf('later')).toBe(256 * KB)
})
