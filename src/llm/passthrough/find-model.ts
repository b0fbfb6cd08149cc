import { isEscaped, skipBlank, walkMembers } from './walk-members.ts'

/** Where the value of a member stands. */
export interface Place {
  start: number
  end: number
}

/**
 * The value of the top-level `model` of a valid JSON object in which no member is given twice. Megabytes are not walked
 * for it: most clients name the model first, and in the others the buffer's own search finds whatever may be its name.
 */
export function findModel(bytes: Buffer): Place | undefined {
  const near = nearModel(bytes.toString('latin1', 0, NEAR_BYTES))
  if (near !== undefined) return near
  // Each letter of the word is `\u006.` when it is spelled as an escape: few clients do, so that may cost a walk.
  // The backslash is left out of the search: code is full of them, and it would stop at each.
  if (bytes.includes('u006', 0, 'latin1')) return modelIn(bytes.toString('latin1'))
  const first = bytes.indexOf(MODEL, 0, 'latin1')
  return first === -1 ? undefined : modelFrom(bytes.toString('latin1'), first)
}

const MODEL = '"model"'
const NEAR_BYTES = 2_048

/** undefined: there is none in this beginning of an object, or its end is not. */
function nearModel(text: string): Place | undefined {
  let place: Place | undefined
  walkMembers(text, text.indexOf('{'), (name, start, end) => {
    if (name === 'model') place = { start, end }
    return name === 'model'
  })
  return place === undefined || place.end >= text.length ? undefined : place
}

function modelIn(text: string): Place | undefined {
  return modelBehind(text, text.indexOf('{')).place
}

/**
 * `first` is the place of the plain word. Which object a member belongs to shows where that object ends: only the
 * top-level one ends with the text. Everything inside another one is passed over together, so the text is walked once.
 */
function modelFrom(text: string, first: number): Place | undefined {
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

/** Of the object that opens at `opening`, or has a member behind it. */
function modelBehind(text: string, opening: number): { place: Place | undefined; closing: number } {
  let place: Place | undefined
  const closing = walkMembers(text, opening, (name, start, end) => {
    if (name === 'model') place = { start, end }
    return false
  })
  return { place, closing }
}
