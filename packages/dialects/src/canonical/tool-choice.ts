import { invalidParameter } from './bad-parameter.ts'
import type { Tool, ToolChoice } from './request.ts'

export interface ChosenTools {
  tools: readonly Tool[]
  choice: ToolChoice | undefined
}

/** Reads a `tool_choice` of chat or responses that is a string. */
export function chooseByWord(choice: unknown, tools: readonly Tool[]): ChosenTools {
  switch (choice) {
    case 'none':
    case 'auto':
      return { tools, choice: { kind: choice } }
    case 'required':
      if (tools.length > 0) return { tools, choice: { kind: 'required' } }
      throw invalidParameter('tool_choice', 'asks for a tool, and there is none that this model can use')
    default:
      return { tools, choice: undefined }
  }
}
