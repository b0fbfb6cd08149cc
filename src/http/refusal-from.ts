import type { ErrorCode } from '../domain/errors.ts'
import { Refusal } from '../domain/refusal.ts'

/** What a client is told about anything that was thrown: our own refusals as they are, the rest as `internal_error`. */
export function refusalFrom(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown
  const code = REFUSALS[codeOf(thrown)]
  return code === undefined ? new Refusal('internal_error', { cause: thrown }) : new Refusal(code)
}

/** What the server underneath refuses by itself, in our words. */
const REFUSALS: Record<string, ErrorCode> = {
  FST_ERR_BAD_URL: 'malformed_request',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
}
