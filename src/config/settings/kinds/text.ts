import { closestName } from '../../../domain/closest-name.ts'
import { Secret } from '../../secret.ts'
import type { Kind } from './kind.ts'

export function text({ takes }: { takes: string }): Kind<string> {
  return {
    takes,
    parse: (given) => (/\p{Cc}/u.test(given) ? { wrong: 'holds a control character' } : { value: given }),
  }
}

export const textList: Kind<readonly string[]> = {
  takes: 'texts separated by commas',
  parse(given) {
    const texts = given.split(',').map((one) => one.trim())
    if (/\p{Cc}/u.test(given)) return { wrong: 'holds a control character' }
    return texts.includes('') ? { wrong: 'has an empty entry' } : { value: texts }
  },
}

/** A calendar day in UTC. */
export const day: Kind<string> = {
  takes: 'a day such as 2026-11-18',
  parse: (given) =>
    /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given))
      ? { value: given }
      : { wrong: 'is not a day' },
}

/** A moment in UTC; a day alone means its beginning. */
export const moment: Kind<number> = {
  takes: 'a moment such as 2026-12-01 or 2026-12-01T09:00:00Z',
  parse(given) {
    const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(given)
    const atMs = isIso ? Date.parse(given) : Number.NaN
    return Number.isNaN(atMs) ? { wrong: 'is not a moment' } : { value: atMs }
  },
}

export const headerName: Kind<string> = {
  takes: 'the name of an HTTP header, in lower case',
  parse: (text) => (/^[a-z\d][a-z\d-]*$/.test(text) ? { value: text } : { wrong: 'is not a header name' }),
}

/** A password or key. Messages about a fault give its length and kind of characters, never the text. */
export function secretText({ min, inHeader }: { min: number; inHeader: boolean }): Kind<Secret> {
  const length = min > 1 ? `at least ${min} characters` : 'a secret text'
  const takes = inHeader ? `${length} of plain ASCII without spaces` : length
  return {
    takes,
    secret: true,
    parse(text) {
      const size = [...text].length
      if (size < min) return { wrong: `is too short (length ${size})` }
      if (inHeader && !/^[!-~]+$/.test(text))
        return { wrong: 'holds a space, a control character or a character outside ASCII' }
      return { value: new Secret(text) }
    },
  }
}

/** Secret in the format of the Standard Webhooks libraries. */
export const webhookSecret: Kind<Secret> = {
  takes: 'whsec_ and base64 of at least 24 bytes',
  secret: true,
  parse(text) {
    if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text)) return { wrong: 'is not whsec_ with base64 behind it' }
    return Buffer.from(text.slice(6), 'base64').length < 24
      ? { wrong: 'is too short' }
      : { value: new Secret(text) }
  },
}

/** A list of known words, separated by commas. */
export function someOf<const Word extends string>(words: readonly Word[]): Kind<readonly Word[]> {
  const one = oneOf(words)
  return {
    takes: `some of ${words.join(', ')}, separated by commas`,
    parse(text) {
      const chosen: Word[] = []
      for (const part of text.split(',')) {
        const parsed = one.parse(part.trim())
        if (!('value' in parsed)) return parsed
        chosen.push(parsed.value)
      }
      return { value: chosen }
    },
  }
}

export function oneOf<const Word extends string>(words: readonly Word[]): Kind<Word> {
  return {
    takes: `one of ${words.join(', ')}`,
    parse(text) {
      const word = words.find((candidate) => candidate === text)
      if (word !== undefined) return { value: word }
      const meant = closestName(text, words)
      return {
        wrong: 'is not one of the known words',
        ...(meant === undefined ? {} : { fix: `Did you mean ${meant}? Use one of ${words.join(', ')}.` }),
      }
    },
  }
}
