import type { ProblemKind, ProblemPath, TextProblem } from './problem.ts'

/** Writes an error in the dialects responses and chat. */
export function writeErrorObject({ kind, message, at }: TextProblem): object {
  const param = at.length === 0 ? null : spell(at)
  const text = param === null ? message : `Invalid '${param}': ${message}`
  return { error: { message: text, ...NAMES[kind], param } }
}

/** Writes a position such as `input[0].content`. */
function spell(at: ProblemPath): string {
  return at
    .map((name, index) => (typeof name === 'number' ? `[${name}]` : index === 0 ? name : `.${name}`))
    .join('')
}

const NAMES = {
  invalid: { type: 'invalid_request_error', code: 'invalid_value' },
  'too-long': { type: 'invalid_request_error', code: 'context_length_exceeded' },
  'bad-key': { type: 'invalid_request_error', code: 'invalid_api_key' },
  missing: { type: 'invalid_request_error', code: null },
  busy: { type: 'requests', code: 'rate_limit_exceeded' },
  broken: { type: 'server_error', code: null },
  overloaded: { type: 'server_error', code: 'overloaded' },
} as const satisfies Record<ProblemKind, { type: string; code: string | null }>
