import { bodyChecker } from './canonical/check-fields.ts'
import { needName, type RequestProblem } from './canonical/problem.ts'
import { countText } from './count/count-tokens.ts'
import type { JsonObject } from './json/json-object.ts'
import { VALUES_MAX } from './json/parse-json.ts'

export const INPUTS_MAX = 2_048
/** Maximum values of a request; each token of an input that the client has split counts as one. */
export const EMBEDDINGS_VALUES_MAX = VALUES_MAX / 4

const ENCODINGS: readonly unknown[] = [undefined, 'float', 'base64']

const check = bodyChecker(new Set(['model', 'input', 'encoding_format', 'dimensions', 'user']), [
  (body) => needName(body, 'model'),
  checkInput,
  ({ encoding_format: format }) =>
    ENCODINGS.includes(format) ? undefined : { path: 'encoding_format', problem: 'must be float or base64' },
  ({ dimensions }) =>
    dimensions === undefined || isWhole(dimensions, 1)
      ? undefined
      : { path: 'dimensions', problem: 'must be an integer above 0' },
  ({ user }) =>
    user === undefined || typeof user === 'string'
      ? undefined
      : { path: 'user', problem: 'must be a string' },
])

/** Vendors fetch no URL for a request of this kind. */
export const checkEmbeddings = (value: unknown): void => check(value, () => undefined)

function checkInput({ input }: JsonObject): RequestProblem | undefined {
  if (input === undefined) return { path: 'input', problem: undefined }
  if (isText(input) || isTokens(input)) return undefined
  const isList = Array.isArray(input) && input.length > 0 && input.length <= INPUTS_MAX
  if (isList && (input.every(isText) || input.every(isTokens))) return undefined
  return {
    path: 'input',
    problem: `must be one text or up to ${INPUTS_MAX} texts, or their tokens; none empty`,
  }
}

function isText(input: unknown): boolean {
  return typeof input === 'string' && input !== ''
}

function isTokens(input: unknown): boolean {
  return Array.isArray(input) && input.length > 0 && input.every((token) => isWhole(token, 0))
}

function isWhole(value: unknown, min: number): boolean {
  return Number.isInteger(value) && Number(value) >= min
}

/** Tokens of texts, or of input that the client has split itself. */
export function countEmbeddings(input: unknown): number {
  if (typeof input === 'string') return countText(input)
  if (typeof input === 'number') return 1
  return Array.isArray(input) ? input.reduce((sum: number, one) => sum + countEmbeddings(one), 0) : 0
}
