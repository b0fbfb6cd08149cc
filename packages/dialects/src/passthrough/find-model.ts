import { isEscaped, skipBlank, walkMembers } from '../json/walk-members.ts'

export interface ValueRange {
  start: number
  end: number
}

/**
 * Finds the value of the top-level `model` of a valid JSON object without duplicate members. Megabytes are not walked for
 * it: most clients put the model first, and in other bodies the buffer's own search finds the candidates.
 */
export function findModel(bytes: Buffer): ValueRange | undefined {
  const near = nearModel(bytes.toString('latin1', 0, NEAR_BYTES))
  if (near !== undefined) return near
  // Each letter of the name is `\u006.` when it is written as an escape; such a rare body is walked. The search
  // leaves out the backslash, which occurs too often in code.
  if (bytes.includes('u006', 0, 'latin1')) return modelIn(bytes.toString('latin1'))
  const first = bytes.indexOf(MODEL, 0, 'latin1')
  return first === -1 ? undefined : modelFrom(bytes.toString('latin1'), first)
}

const MODEL = '"model"'
const NEAR_BYTES = 2_048

/** undefined: this beginning of an object does not contain a whole `model` member. */
function nearModel(text: string): ValueRange | undefined {
  let place: ValueRange | undefined
  walkMembers(text, text.indexOf('{'), (name, start, end) => {
    if (name === 'model') place = { start, end }
    return name === 'model'
  })
  return place === undefined || place.end >= text.length ? undefined : place
}

function modelIn(text: string): ValueRange | undefined {
  return modelBehind(text, text.indexOf('{')).place
}

/**
 * `first` is the offset of the plain name. The object around the name is the top-level one only if it ends with the
 * text. Any other object is skipped as a whole, so the text is walked once.
 */
function modelFrom(text: string, first: number): ValueRange | undefined {
  let at = first
  while (at !== -1) {
    const behind = at + MODEL.length
    const isName = !isEscaped(text, at) && text[skipBlank(text, behind)] === ':'
    const { place, closing } = isName ? modelBehind(text, at - 1) : { place: undefined, closing: behind }
    if (isName && skipBlank(text, closing + 1) === text.length) return place
    at = text.indexOf(MODEL, closing)
  }
  return undefined
}

/** Finds the model in the object that opens at `opening`, or among the members of an object that follow `opening`. */
function modelBehind(text: string, opening: number): { place: ValueRange | undefined; closing: number } {
  let place: ValueRange | undefined
  const closing = walkMembers(text, opening, (name, start, end) => {
    if (name === 'model') place = { start, end }
    return false
  })
  return { place, closing }
}
