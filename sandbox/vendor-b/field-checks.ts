import { isRatio, RATIOS } from '../clips/picture-size.ts'
import type { Detail } from './reply.ts'

type Place = Detail['loc']

/** Describes problems of a value; none when it is valid. */
export type BodyCheck = (value: unknown, at: Place) => readonly Detail[]

export const aString: BodyCheck = (value, at) =>
  typeof value === 'string' ? [] : [{ loc: at, msg: 'str type expected', type: 'type_error.str' }]

export const aText: BodyCheck = (value, at) =>
  typeof value === 'string' && value.trim() === ''
    ? [{ loc: at, msg: 'must not be empty', type: 'value_error' }]
    : aString(value, at)

/** A short text, because the id of the task contains it. */
export const aShortWord: BodyCheck = (value, at) =>
  typeof value === 'string' && /^\S{1,32}$/.test(value)
    ? []
    : [{ loc: at, msg: 'must be a word of 1 to 32 characters', type: 'value_error' }]

/** `asset://` has no meaning for this vendor. */
export const aLink: BodyCheck = (value, at) =>
  typeof value === 'string' && ['http:', 'https:'].includes(URL.parse(value)?.protocol ?? '')
    ? []
    : [{ loc: at, msg: 'invalid or missing URL', type: 'value_error.url' }]

export const aTag: BodyCheck = (value, at) =>
  typeof value === 'string' && /^@./.test(value)
    ? []
    : [{ loc: at, msg: 'a tag starts with @', type: 'value_error.tag' }]

export const aBoolean: BodyCheck = (value, at) =>
  typeof value === 'boolean' ? [] : [{ loc: at, msg: 'bool type expected', type: 'type_error.bool' }]

export const aRatio: BodyCheck = (value, at) =>
  isRatio(value) ? [] : [{ loc: at, msg: `must be one of ${RATIOS.join(', ')}`, type: 'value_error.enum' }]

export function oneOf(...words: string[]): BodyCheck {
  return (value, at) =>
    typeof value === 'string' && words.includes(value)
      ? []
      : [{ loc: at, msg: `must be one of ${words.join(', ')}`, type: 'value_error.enum' }]
}

export function wholeNumber({ min, max }: { min: number; max: number }): BodyCheck {
  return (value, at) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? []
      : [{ loc: at, msg: `must be an integer from ${min} to ${max}`, type: 'value_error.number' }]
}

export function listOf(check: BodyCheck, { min = 0, max }: { min?: number; max: number }): BodyCheck {
  return (value, at) => {
    if (!Array.isArray(value)) return [{ loc: at, msg: 'list type expected', type: 'type_error.list' }]
    if (value.length < min || value.length > max) {
      return [{ loc: at, msg: `must have ${min} to ${max} items`, type: 'value_error.list' }]
    }
    return value.flatMap((item: unknown, index) => check(item, [...at, index]))
  }
}

export interface Shape {
  required?: Readonly<Record<string, BodyCheck>>
  optional?: Readonly<Record<string, BodyCheck>>
}

/** An object with these members and no others. */
export function objectOf({ required = {}, optional = {} }: Shape): BodyCheck {
  const known: Readonly<Record<string, BodyCheck>> = { ...required, ...optional }
  return (value, at) => {
    if (!isObject(value)) return [{ loc: at, msg: 'dict type expected', type: 'type_error.dict' }]
    const missing = Object.keys(required).filter((name) => value[name] === undefined)
    return [
      ...missing.map((name) => ({
        loc: [...at, name],
        msg: 'field required',
        type: 'value_error.missing',
      })),
      ...Object.entries(value).flatMap(([name, member]) => {
        const check = Object.hasOwn(known, name) ? known[name] : undefined
        const place = [...at, name]
        if (check !== undefined) return check(member, place)
        return [{ loc: place, msg: 'extra fields not permitted', type: 'value_error.extra' }]
      }),
    ]
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
