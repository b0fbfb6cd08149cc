import { parentPort, threadId } from 'node:worker_threads'

/** A thread for heavy bodies that does what its bytes say. */
parentPort?.on('message', ({ bytes }: { bytes: Uint8Array<ArrayBuffer> }) => {
  const [order, word] = Buffer.from(bytes).toString().split(' ')
  if (order === 'die') process.exit(1)
  if (order === 'hang') while (true);
  if (order === 'eat') for (const all: number[][] = []; ; ) all.push(new Array(1_000_000).fill(all.length))
  const result = order === 'thread' ? threadId : word
  parentPort?.postMessage({ bytes, result }, [bytes.buffer])
})
