import { createHash } from 'node:crypto'
import { tokensOf } from './behaviour/count-tokens.ts'
import type { Field } from './field.ts'

const DIMENSIONS = 64
const DIMENSIONS_MAX = 3_072

/** Answers a request for embeddings. A text has the same unit vector in every answer. */
export function writeEmbeddings(body: Field): object {
  const model = body.member('model').nonEmptyText()
  const inputs = readInputs(body.member('input'))
  const dimensions = readDimensions(body.member('dimensions'))
  const isBase64 = body.member('encoding_format').value === 'base64'
  const tokens = inputs.reduce((sum, input) => sum + input.tokens, 0)
  return {
    object: 'list',
    data: inputs.map(({ text }, index) => {
      const vector = vectorOf(text, dimensions)
      return { object: 'embedding', index, embedding: isBase64 ? base64Of(vector) : Array.from(vector) }
    }),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

interface EmbeddingInput {
  text: string
  tokens: number
}

/** Reads one text, a list of texts, the tokens of one text, or a list of token lists. */
function readInputs(input: Field): EmbeddingInput[] {
  if (typeof input.value === 'string') return [readText(input)]
  const items = input.items()
  if (items.length === 0) input.fail('must not be empty')
  if (items.every(({ value }) => typeof value === 'number')) return [readTokens(items)]
  return items.map((item) => (typeof item.value === 'string' ? readText(item) : readTokens(item.items())))
}

function readText(field: Field): EmbeddingInput {
  const text = field.nonEmptyText()
  return { text, tokens: tokensOf(text.length) }
}

function readTokens(items: readonly Field[]): EmbeddingInput {
  const values = items.map((item) =>
    Number.isSafeInteger(item.value) ? item.value : item.fail('must be a token'),
  )
  return { text: values.join(' '), tokens: values.length }
}

function readDimensions(field: Field): number {
  if (!field.isGiven) return DIMENSIONS
  const { value } = field
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= DIMENSIONS_MAX)
    return value
  return field.fail(`must be a whole number from 1 to ${DIMENSIONS_MAX}`)
}

function vectorOf(text: string, dimensions: number): Float32Array {
  const bytes = createHash('shake256', { outputLength: dimensions }).update(text).digest()
  const values = Array.from(bytes, (byte) => byte - 127.5)
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => value / length)
}

function base64Of({ buffer }: Float32Array): string {
  return Buffer.from(buffer).toString('base64')
}
