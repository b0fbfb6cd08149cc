import { isJsonObject } from '@sluice/dialects/json/json-object'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../src/domain/json/json-schema.ts'
import type { Operation } from '../../src/http/operation.ts'
import { describeApi } from '../../src/http/operations/openapi/describe-api.ts'
import { OPERATIONS } from '../../src/http/routes.ts'
import { fc, runs } from '../random/properties.ts'
import { arbitraryOf } from './arbitrary-of.ts'
import type { Exceptions, Looser } from './exception.ts'
import { EXCEPTIONS } from './exceptions.ts'
import { mutate, mutation, ODD_VALUES } from './mutate.ts'
import { type Tie, tieBody, tieQuery } from './tie.ts'

const RUNS = 3_000
const TIMEOUT_MS = 600_000

const published = describeApi(OPERATIONS, { version: '1' })

function componentOf({ $ref = '' }: JsonSchema = {}): JsonSchema | undefined {
  return published.components.schemas[$ref.replace('#/components/schemas/', '')]
}

/** Ties an operation by its published schema, or by its row if the reference leaves the operation out. */
function tieOf(operation: Operation): Tie | undefined {
  const described = Object.values(published.paths)
    .flatMap((path) => Object.values(path))
    .find(({ operationId }) => operationId === operation.id)
  const body: JsonSchema | undefined =
    described === undefined
      ? operation.body?.schema
      : componentOf(described.requestBody?.content['application/json']?.schema)
  if (body !== undefined) return tieBody(operation, body)
  const query = (described?.parameters ?? []).filter((parameter) => parameter.in === 'query')
  if (query.length === 0) return undefined
  return tieQuery(operation, Object.fromEntries(query.map(({ name, schema }) => [name, schema])))
}

const TIES = OPERATIONS.flatMap((operation) => {
  const tie = tieOf(operation)
  return tie === undefined ? [] : [{ id: operation.id, tie, exceptions: EXCEPTIONS[operation.id] ?? {} }]
})

test('every operation with a body or a query is tied to its parser, and every exception names a tied operation', () => {
  const taking = OPERATIONS.filter(({ body, query }) => body !== undefined || query !== undefined)
  expect(TIES.map(({ id }) => id)).toEqual(taking.map(({ id }) => id))
  expect(taking.filter(({ body, query }) => body !== undefined && query !== undefined)).toEqual([])
  expect(TIES.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(EXCEPTIONS)))
})

function readAll(wire: unknown, looser: readonly Looser[]): unknown {
  return looser.reduce<unknown>((read, one) => one.read(isJsonObject(read) ? read : {}), wire)
}

function sizeOf(wire: unknown): number {
  return JSON.stringify(wire).length
}

/** Values on both sides of each bound. */
function boundsOf({ minimum, maximum, maxLength }: JsonSchema): unknown[] {
  const numbers = [minimum, maximum].flatMap((bound) =>
    bound === undefined ? [] : [bound - 1, bound, bound + 1],
  )
  if (maxLength === undefined) return numbers
  return [
    ...numbers,
    ...['x', '\u{1f30a}'].flatMap((one) => [one.repeat(maxLength), one.repeat(maxLength + 1)]),
  ]
}

/** Undefined where schema and parser agree, or an exception says why not. */
async function difference(tie: Tie, wire: unknown, exceptions: Exceptions): Promise<string | undefined> {
  const isAllowed = tie.allows(wire)
  const isAccepted = await tie.accepts(wire)
  if (isAllowed === isAccepted) return undefined
  const { stricter = [], looser = [] } = exceptions
  if (isAllowed && isJsonObject(wire) && stricter.some((one) => one.applies(wire))) return undefined
  if (isAccepted && tie.allows(readAll(wire, looser))) return undefined
  return isAllowed
    ? 'the schema allows what the parser refuses'
    : 'the parser accepts what the schema refuses'
}

describe.each(TIES)('$id', ({ tie, exceptions }) => {
  const valid = arbitraryOf(tie.schema)
    .map(tie.toWire)
    .filter((wire) => tie.allows(wire))

  test('the parser accepts everything that the schema allows', { timeout: TIMEOUT_MS }, async () => {
    await fc.assert(
      fc.asyncProperty(valid, async (wire) => {
        expect(await difference(tie, wire, exceptions)).toBeUndefined()
      }),
      runs(RUNS),
    )
  })

  test('schema and parser accept and refuse the same values of every member', async () => {
    // The smallest of ten samples is used, because it is parsed again for every value of every member.
    const [base] = fc.sample(valid, 10).toSorted((a, b) => sizeOf(a) - sizeOf(b))
    if (!isJsonObject(base)) throw new TypeError('Every body and every query is an object.')
    for (const [name, member] of Object.entries(tie.schema.properties ?? {})) {
      for (const value of [...ODD_VALUES, ...boundsOf(member)]) {
        const wire = tie.toWire({ ...base, [name]: value })
        expect({ [name]: value, difference: await difference(tie, wire, exceptions) }).toEqual({
          [name]: value,
          difference: undefined,
        })
      }
    }
  })

  test('schema and parser agree on values with one or two changes', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const changes = fc.array(mutation, { minLength: 1, maxLength: 2 })
    await fc.assert(
      fc.asyncProperty(valid, changes, async (wire, mutations) => {
        const changed = tie.toWire(mutations.reduce(mutate, wire))
        expect(await difference(tie, changed, exceptions)).toBeUndefined()
      }),
      runs(RUNS),
    )
  })

  test.each(exceptions.stricter ?? [])('the parser has to be stricter: $name', async (one) => {
    const others = (exceptions.stricter ?? []).filter((other) => other !== one)
    expect(tie.allows(one.example)).toBe(true)
    expect(await tie.accepts(one.example)).toBe(false)
    expect(one.applies(one.example)).toBe(true)
    expect(others.filter((other) => other.applies(one.example))).toEqual([])
  })

  test.each(exceptions.looser ?? [])('the parser has to be more tolerant: $name', async (one) => {
    const others = (exceptions.looser ?? []).filter((other) => other !== one)
    expect(await tie.accepts(one.example)).toBe(true)
    expect(tie.allows(readAll(one.example, others))).toBe(false)
    expect(tie.allows(readAll(one.example, [one]))).toBe(true)
  })
})
