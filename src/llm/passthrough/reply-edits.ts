import { errorEdits } from './error-edits.ts'
import type { Edit } from './splice-bytes.ts'
import { walkMembers } from './walk-members.ts'

/** What a reply's envelope must say to the client. */
export interface ReplyWords {
  /** The id the client asked for. */
  model: string
  /** All its text, where the dialect has such a member. */
  outputText: string | undefined
  /** What the vendor's words about an error must not tell. */
  hides: readonly string[]
  /** An envelope without a model stays without; left out: it is given one. */
  mayLackModel?: boolean
}

/** What has to change in the reply's object that opens at `start`, in order. `text` is its bytes read as latin1. */
export function replyEdits(text: string, start: number, words: ReplyWords): Edit[] {
  const { model, outputText, hides, mayLackModel = false } = words
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
