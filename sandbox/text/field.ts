import { type ProblemPath, TextProblem } from './problem.ts'

/** A value of the body that knows its position, for error messages. */
export class Field {
  readonly value: unknown
  readonly at: ProblemPath

  constructor(value: unknown, at: ProblemPath = []) {
    this.value = value
    this.at = at
  }

  /** Null counts as left out. */
  get isGiven(): boolean {
    return this.value !== undefined && this.value !== null
  }

  fail(message: string): never {
    throw new TextProblem('invalid', message, { at: this.at })
  }

  object(): Record<string, unknown> {
    return isObject(this.value) ? this.value : this.fail('must be an object')
  }

  member(name: string): Field {
    return new Field(this.object()[name], [...this.at, name])
  }

  items(): Field[] {
    if (!Array.isArray(this.value)) return this.fail('must be an array')
    return this.value.map((value: unknown, index) => new Field(value, [...this.at, index]))
  }

  text(): string {
    return typeof this.value === 'string' ? this.value : this.fail('must be a string')
  }

  nonEmptyText(): string {
    const text = this.text()
    return text === '' ? this.fail('must not be empty') : text
  }

  oneOf<const Word extends string>(words: readonly Word[]): Word {
    const found = words.find((word) => word === this.value)
    return found ?? this.fail(`must be one of ${words.join(', ')}`)
  }

  boolean(): boolean {
    return typeof this.value === 'boolean' ? this.value : this.fail('must be a boolean')
  }

  number({ min, max = Number.POSITIVE_INFINITY }: { min: number; max?: number }): number {
    const { value } = this
    if (typeof value !== 'number' || value < min || value > max) {
      return this.fail(
        Number.isFinite(max)
          ? `must be a number from ${min} to ${max}`
          : `must be a number of at least ${min}`,
      )
    }
    return value
  }

  wholeNumber({ min }: { min: number }): number {
    const number = this.number({ min })
    return Number.isInteger(number) ? number : this.fail('must be a whole number')
  }

  /** Applies `read` to the value; undefined when there is none. */
  ifGiven<T>(read: (field: Field) => T): T | undefined {
    return this.isGiven ? read(this) : undefined
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Refuses fields of another dialect: a client that sends them uses the wrong endpoint. */
export function refuseFields(body: Field, names: readonly string[]): void {
  for (const name of names) {
    const field = body.member(name)
    if (field.value !== undefined) field.fail('is not known here')
  }
}
