import { walkMembers } from '../json/walk-members.ts'
import { errorEdits } from './error-edits.ts'
import type { Edit } from './splice-bytes.ts'

/** Values that the envelope of a reply must have for the client. */
export interface EnvelopeValues {
  /** The model's id, as the client named it. */
  model: string
  /** All text of the reply, where the dialect has a member for it. */
  outputText: string | undefined
  /** Secrets that the vendor's errors must not reveal. */
  hides: readonly string[]
  /** Whether the envelope may lack a model. Left out: a missing model is added. */
  mayLackModel?: boolean
}

/** Edits for the reply object that opens at `start`, in order. `text` is its bytes read as latin1. */
export function replyEdits(text: string, start: number, values: EnvelopeValues): Edit[] {
  const { model, outputText, hides, mayLackModel = false } = values
  const edits: Edit[] = []
  let hasModel = mayLackModel
  let hasText = outputText === undefined
  let isEmpty = true
  const closing = walkMembers(text, start, (name, valueStart, valueEnd) => {
    isEmpty = false
    if (name === 'model') {
      hasModel = true
      edits.push({ start: valueStart, end: valueEnd, text: JSON.stringify(model) })
    } else if (name === 'error' && text[valueStart] === '{') {
      for (const edit of errorEdits(text, valueStart, hides)) edits.push(edit)
    } else if (name === 'output_text' && outputText !== undefined) {
      hasText = true
      if (text[valueStart] !== '"')
        edits.push({ start: valueStart, end: valueEnd, text: JSON.stringify(outputText) })
    }
    return false
  })
  const missing: string[] = []
  if (!hasModel) missing.push(`"model":${JSON.stringify(model)}`)
  if (!hasText) missing.push(`"output_text":${JSON.stringify(outputText)}`)
  if (missing.length > 0)
    edits.push({ start: closing, end: closing, text: (isEmpty ? '' : ',') + missing.join(',') })
  return edits
}
