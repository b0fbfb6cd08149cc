import { parentPort } from 'node:worker_threads'

/** The real writer, except that an organization named `die` ends its thread before anything is written. */
parentPort?.on('message', ({ calls = [] }: { calls?: { args: { name?: string }[] }[] }) => {
  if (calls.some(({ args }) => args[0]?.name === 'die')) process.exit(7)
})

await import('../../../src/adapters/sqlite/writer-thread.ts')
