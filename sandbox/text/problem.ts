/** Position of a problem in the body. */
export type ProblemPath = readonly (string | number)[]

export type ProblemKind = 'invalid' | 'too-long' | 'bad-key' | 'missing' | 'busy' | 'broken' | 'overloaded'

const STATUSES = {
  invalid: 400,
  'too-long': 400,
  'bad-key': 401,
  missing: 404,
  busy: 429,
  broken: 500,
  overloaded: 529,
} as const satisfies Record<ProblemKind, number>

/** An error of this vendor; each dialect writes it in a shape of its own. */
export class TextProblem extends Error {
  readonly kind: ProblemKind
  readonly status: number
  readonly at: ProblemPath
  readonly headers: Readonly<Record<string, string>>

  constructor(
    kind: ProblemKind,
    message: string,
    { at = [], headers = {} }: { at?: ProblemPath; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message)
    this.kind = kind
    this.status = STATUSES[kind]
    this.at = at
    this.headers = headers
  }
}
