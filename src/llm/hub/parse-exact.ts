/**
 * What JSON spells; undefined when it is none. A number that JavaScript would round keeps its spelling: it becomes an
 * object that `JSON.stringify` spells as it was, and `JSON.isRawJSON` knows. Ids of 64 bits are such numbers. One that
 * stands alone is plain all the same: whoever asks for an object must not be given a number that looks like one.
 */
export function parseExact(json: string): unknown {
  try {
    if (!mayHoldRounded(json)) return JSON.parse(json)
    const value = JSON.parse(json, keepSpelling)
    return JSON.isRawJSON(value) ? Number(value.rawJSON) : value
  } catch {
    return undefined
  }
}

/** Quick, and sometimes wrong about a text that says such a number in words: it is parsed more slowly, that is all. */
export function mayHoldRounded(json: string): boolean {
  return LONG_MEMBER.test(json)
}

/**
 * Every number of fewer than 16 digits and with an exponent of fewer than three comes back as it went in. Among others
 * it is known by what stands before or after it, for texts are full of ids in quotes, and of hashes like 3e457.
 */
const LONG_NUMBER = /\d[\d.]{15}|[eE][+-]?\d{3}/
const LONG_MEMBER = /[\s:,[-]\d[\d.]{15}|\d[eE][+-]?\d{3,}[\s,}\]]/

function keepSpelling(_name: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined || source === String(value)) return value
  return LONG_NUMBER.test(source) ? JSON.rawJSON(source) : value
}
