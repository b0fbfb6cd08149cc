import { isEscaped, skipBlank, walkMembers } from './walk-members.ts'

/** Where the value of a member stands. */
export interface Place {
  start: number
  end: number
}

/**
 * The values of every top-level `model` of a valid JSON object, in order. Megabytes are not walked for it: most clients
 * name the model first, and behind that the buffer's own search finds whatever may be another.
 */
export function findModels(bytes: Buffer): Place[] {
  const beginning = bytes.toString('latin1', 0, NEAR_BYTES)
  const near = firstModel(beginning)
  const from = near?.end ?? 0
  // A short one is a text by now, and searched as one.
  if (bytes.length <= NEAR_BYTES && near !== undefined && !mayHaveMore(beginning, from)) return [near]
  // Each letter of the word is `\u006.` when it is spelled as an escape: few clients do, so that may cost a walk.
  // The backslash is left out of the search: code is full of them, and it would stop at each.
  if (bytes.includes('u006', from, 'latin1')) return allModels(bytes.toString('latin1'))
  const known = near === undefined ? [] : [near]
  const next = bytes.indexOf(MODEL, from, 'latin1')
  return next === -1 ? known : [...known, ...modelsFrom(bytes.toString('latin1'), next)]
}

function mayHaveMore(text: string, from: number): boolean {
  return text.includes(MODEL, from) || text.includes('u006', from)
}

const MODEL = '"model"'
const NEAR_BYTES = 2_048

/** undefined: there is none in this beginning of an object, or its end is not. */
function firstModel(text: string): Place | undefined {
  let place: Place | undefined
  walkMembers(text, text.indexOf('{'), (name, start, end) => {
    if (name === 'model') place = { start, end }
    return name === 'model'
  })
  return place === undefined || place.end >= text.length ? undefined : place
}

function allModels(text: string): Place[] {
  return modelsBehind(text, text.indexOf('{')).places
}

/**
 * `first` is the place of the plain word. Which object a member belongs to shows where that object ends: only the
 * top-level one ends with the text. Everything inside another one is passed over together, so the text is walked once.
 */
function modelsFrom(text: string, first: number): Place[] {
  let at = first
  while (at !== -1) {
    const behind = at + MODEL.length
    const isName = !isEscaped(text, at) && text[skipBlank(text, behind)] === ':'
    const { places, closing } = isName ? modelsBehind(text, at - 1) : { places: [], closing: behind }
    if (isName && skipBlank(text, closing + 1) === text.length) return places
    at = text.indexOf(MODEL, closing)
  }
  return []
}

/** Of the object that opens at `opening`, or has a member behind it. */
function modelsBehind(text: string, opening: number): { places: Place[]; closing: number } {
  const places: Place[] = []
  const closing = walkMembers(text, opening, (name, start, end) => {
    if (name === 'model') places.push({ start, end })
    return false
  })
  return { places, closing }
}
