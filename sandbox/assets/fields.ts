import { invalidParameter } from './call-refused.ts'

/** A JSON object of a call, read field by field. A value that does not fit is refused, and so is an unknown field. */
export interface Fields {
  text(name: string, bounds: { charactersMax: number; otherwise?: string }): string
  choice<Value extends string, Otherwise extends string = never>(
    name: string,
    values: readonly Value[],
    otherwise?: Otherwise,
  ): Value | Otherwise
  choices<Value extends string>(name: string, values: readonly Value[]): Value[]
  texts(name: string, bounds: { countMax: number }): string[]
  /** A whole number from 1. */
  count(name: string, bounds: { max: number; otherwise: number }): number
  /** Returns empty fields when the object was left out. */
  object(name: string): Fields
  /** Refuses fields that were not read; called last. */
  nothingElse(): void
}

/** `path` is the prefix of names in a refusal, for an object inside another. */
export function openFields(value: unknown, path = ''): Fields {
  const values = asObject(value)
  if (values === undefined) throw invalidParameter(path.slice(0, -1), 'a JSON object')
  const readNames = new Set<string>()
  const take = (name: string) => {
    readNames.add(name)
    return values[name] ?? undefined
  }
  const refuse = (name: string, expected: string) => invalidParameter(`${path}${name}`, expected)
  const takeList = (name: string, { countMax, fits }: { countMax: number; fits(item: string): boolean }) => {
    const list = take(name) ?? []
    const expected = `a list of at most ${countMax} known values`
    if (!Array.isArray(list) || list.length > countMax) throw refuse(name, expected)
    return list.map((item: unknown) => {
      if (typeof item !== 'string' || !fits(item)) throw refuse(name, expected)
      return item
    })
  }
  return {
    text(name, { charactersMax, otherwise }) {
      const text = take(name) ?? otherwise
      if (typeof text === 'string' && (text !== '' || otherwise === '') && [...text].length <= charactersMax)
        return text
      throw refuse(name, `a text of at most ${charactersMax} characters`)
    },
    choice(name, options, otherwise) {
      const given = take(name)
      if (given === undefined && otherwise !== undefined) return otherwise
      const found = options.find((option) => option === given)
      if (found === undefined) throw refuse(name, `one of ${options.join(', ')}`)
      return found
    },
    choices(name, options) {
      const list = takeList(name, {
        countMax: 100,
        fits: (item) => options.some((option) => option === item),
      })
      return options.filter((option) => list.includes(option))
    },
    texts: (name, { countMax }) => takeList(name, { countMax, fits: (item) => item !== '' }),
    count(name, { max, otherwise }) {
      const number = take(name) ?? otherwise
      if (typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= max)
        return number
      throw refuse(name, `an integer from 1 to ${max}`)
    },
    object: (name) => openFields(take(name) ?? {}, `${path}${name}.`),
    nothingElse() {
      const unknown = Object.keys(values).find((name) => !readNames.has(name))
      if (unknown !== undefined) throw refuse(unknown, 'left out, since it is not supported')
    },
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

/** Every project has groups and assets of its own. */
export function readProject(fields: Fields): string {
  return fields.text('ProjectName', { charactersMax: 64, otherwise: 'default' })
}
