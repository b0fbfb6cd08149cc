import type { TextCall, TextHead, TextProvider } from '../../ports/text-provider.ts'

const ANSWER_BYTES_MAX = 64 * 1024

/** A short answer of a vendor, read to its end; undefined when none came in time, or one that is far too long. */
export function askWhole(
  provider: TextProvider,
  call: TextCall,
  { patienceMs }: { patienceMs: number },
): Promise<{ head: TextHead; body: Buffer } | undefined> {
  const { promise, resolve } = Promise.withResolvers<{ head: TextHead; body: Buffer } | undefined>()
  const chunks: Buffer[] = []
  let head: TextHead | undefined
  let bytes = 0
  let stop = (): void => {}
  const sent = provider.send(call, {
    onHead(received, flow) {
      head = received
      stop = () => flow.stop('too-large')
    },
    onChunk(chunk) {
      bytes += chunk.length
      if (bytes <= ANSWER_BYTES_MAX) chunks.push(chunk)
      else stop()
    },
    onEnd: () =>
      resolve(
        head === undefined || bytes > ANSWER_BYTES_MAX ? undefined : { head, body: Buffer.concat(chunks) },
      ),
    onFailure: () => resolve(undefined),
  })
  const timer = setTimeout(() => sent.stop('aborted'), patienceMs)
  return promise.finally(() => clearTimeout(timer))
}
