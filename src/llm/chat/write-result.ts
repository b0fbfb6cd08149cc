import type { ToolResultPart } from '../hub/text-request.ts'
import { textOfDocument, type UserPart } from './write-content.ts'

/**
 * This wire takes only text from a tool. Images and files go into the user's next message, and both sides of the gap say
 * so; that a tool failed is said in words.
 */
export function writeResult({ callId, isError, parts }: ToolResultPart): { text: string; media: UserPart[] } {
  const texts: string[] = isError ? [ERROR_MARK] : []
  const media: UserPart[] = []
  for (const part of parts) {
    const text =
      part.kind === 'text' ? part.text : part.kind === 'document' ? textOfDocument(part) : undefined
    if (text === undefined) media.push(part)
    else if (text !== '') texts.push(text)
  }
  if (media.length > 0) {
    texts.push('[Images or files of this result follow in the next user message.]')
    media.unshift({ kind: 'text', text: `[Images or files of the result of tool call ${callId}:]` })
  }
  return { text: texts.join('\n'), media }
}

const ERROR_MARK = '[The tool failed.]'
