export interface Writer {
  /** Called regularly. */
  writeOut(): void
  /** Called once, at the end of the process. */
  writeLast(): void
}

const WRITE_EVERY_MS = 500
const writers: Writer[] = []

/** All logs of a process share one timer and one exit listener, however many there are. They last as long as it does. */
export function keepWriting(writer: Writer): void {
  if (writers.push(writer) > 1) return
  setInterval(() => forEachWriter('writeOut'), WRITE_EVERY_MS).unref()
  process.on('exit', () => forEachWriter('writeLast'))
}

function forEachWriter(act: keyof Writer): void {
  for (const writer of writers) writer[act]()
}
