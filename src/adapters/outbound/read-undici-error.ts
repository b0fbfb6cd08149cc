import { type FailureKind, NetworkError } from './network-error.ts'

/** Converts an error of undici. A vendor cannot have acted on a request that was not written yet. */
export function readUndiciError(error: unknown, { wasSent }: { wasSent: boolean }): NetworkError {
  if (error instanceof NetworkError) return error
  const kind = KINDS_BY_CODE[codeOf(error)] ?? (wasSent ? 'broken' : 'refused')
  return new NetworkError(kind, { taken: wasSent ? 'maybe' : 'no', cause: withoutData(error) })
}

/** Removes the bytes that a parser error contains, which may be a client's prompt or a key. */
function withoutData(error: unknown): unknown {
  if (error instanceof Error) Reflect.deleteProperty(error, 'data')
  return error
}

const KINDS_BY_CODE: Record<string, FailureKind> = {
  UND_ERR_INVALID_ARG: 'forbidden',
  UND_ERR_HEADERS_TIMEOUT: 'timeout-first-byte',
  UND_ERR_BODY_TIMEOUT: 'timeout-idle',
  UND_ERR_ABORTED: 'aborted',
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
