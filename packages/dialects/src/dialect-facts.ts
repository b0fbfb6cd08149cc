/** Paths and headers of a dialect at its vendors. */
interface DialectFacts {
  /** Path at its first vendor; clients of the dialect use the same path at the gateway. */
  path: string
  /** Path of the vendors' token counts; undefined: they have none. */
  countPath: string | undefined
  /** Path of the vendors' compaction; undefined: they have none. */
  compactPath: string | undefined
  /** The header of the API key: `x-api-key`, or `authorization` with a bearer token. */
  keyHeader: 'x-api-key' | 'authorization'
  /** The header with the flags of new features. */
  betaHeader: string
  /** The version of the dialect that every vendor knows; undefined: the dialect has no version header. */
  knownVersion: string | undefined
}

/** Wire formats of text models. There are vendors for all of them. */
export const DIALECTS = {
  messages: {
    path: '/v1/messages',
    countPath: '/v1/messages/count_tokens',
    compactPath: undefined,
    keyHeader: 'x-api-key',
    betaHeader: 'anthropic-beta',
    knownVersion: '2023-06-01',
  },
  responses: {
    path: '/v1/responses',
    countPath: undefined,
    compactPath: '/v1/responses/compact',
    keyHeader: 'authorization',
    betaHeader: 'openai-beta',
    knownVersion: undefined,
  },
  chat: {
    path: '/v1/chat/completions',
    countPath: undefined,
    compactPath: undefined,
    keyHeader: 'authorization',
    betaHeader: 'openai-beta',
    knownVersion: undefined,
  },
} as const satisfies Record<string, DialectFacts>

export type Dialect = keyof typeof DIALECTS

export const DIALECT_NAMES: readonly Dialect[] = Object.keys(DIALECTS).filter(isDialect)

function isDialect(name: string): name is Dialect {
  return Object.hasOwn(DIALECTS, name)
}

/** The dialects that clients may use too. */
export const TEXT_ENDPOINTS = ['messages', 'responses', 'chat'] as const satisfies readonly Dialect[]

export type TextEndpoint = (typeof TEXT_ENDPOINTS)[number]

export function isTextEndpoint(value: unknown): value is TextEndpoint {
  return TEXT_ENDPOINTS.some((endpoint) => endpoint === value)
}
