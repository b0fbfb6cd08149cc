import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { PreparedFile } from '../../ports/media-store.ts'
import type { ClipWork } from './clip-thread.ts'

const THREAD_FILE = new URL('./clip-thread.ts', import.meta.url)

/** Marks and inspects a file on a thread of its own: loading the library and hashing a film take hundreds of ms. */
export async function prepareClip(work: ClipWork, signal: AbortSignal): Promise<PreparedFile> {
  const thread = new Worker(THREAD_FILE, { name: 'sluice-clip', workerData: work })
  try {
    const [prepared] = await once(thread, 'message', { signal })
    return prepared
  } finally {
    await thread.terminate()
  }
}
