import type { JsonObject } from '../../domain/json-object.ts'
import { isAbsent } from '../hub/is-absent.ts'
import { checkPart } from './check-parts.ts'
import { checkTool } from './check-tools.ts'
import { type Fault, faultAmong, mayBeText, needName, needText, under } from './fault.ts'
import { kindOfItem } from './kind-of-item.ts'

const ROLES: readonly unknown[] = ['user', 'assistant', 'system', 'developer']

/** One item of `input`. An unknown kind of item passes. */
export function checkItem(item: JsonObject): Fault | undefined {
  const kind = kindOfItem(item)
  if (kind === undefined) {
    return { path: 'type', problem: isAbsent(item.type) ? undefined : 'must be a string' }
  }
  return CHECKS.get(kind)?.(item)
}

const CHECKS: ReadonlyMap<string, (item: JsonObject) => Fault | undefined> = new Map([
  ['message', checkMessage],
  ['function_call', (item) => checkCall(item, 'arguments')],
  ['custom_tool_call', (item) => checkCall(item, 'input')],
  ['function_call_output', checkOutput],
  ['custom_tool_call_output', checkOutput],
  ['reasoning', checkReasoningItem],
  ['item_reference', (item) => needName(item, 'id')],
  ['additional_tools', checkAdditionalTools],
])

function checkMessage(item: JsonObject): Fault | undefined {
  if (!ROLES.includes(item.role)) {
    const problem = isAbsent(item.role) ? undefined : 'must be user, assistant, system or developer'
    return { path: 'role', problem }
  }
  return checkContent(item, 'content')
}

function checkContent(item: JsonObject, name: string): Fault | undefined {
  const content = item[name]
  if (typeof content === 'string') return undefined
  if (Array.isArray(content)) return under(name, faultAmong(content, checkPart))
  return { path: name, problem: isAbsent(content) ? undefined : 'must be a string or an array of parts' }
}

function checkCall(item: JsonObject, input: string): Fault | undefined {
  return (
    needName(item, 'call_id') ??
    needName(item, 'name') ??
    needText(item, input) ??
    mayBeText(item, 'namespace')
  )
}

function checkOutput(item: JsonObject): Fault | undefined {
  return needName(item, 'call_id') ?? checkContent(item, 'output')
}

function checkReasoningItem(item: JsonObject): Fault | undefined {
  return (
    mayBeText(item, 'encrypted_content') ?? mayHoldTexts(item, 'summary') ?? mayHoldTexts(item, 'content')
  )
}

/** Agents send `content: null` with reasoning that was never shown. */
function mayHoldTexts(item: JsonObject, name: string): Fault | undefined {
  const parts = item[name]
  if (isAbsent(parts)) return undefined
  if (!Array.isArray(parts)) return { path: name, problem: 'must be an array' }
  return under(name, faultAmong(parts, checkPart))
}

function checkAdditionalTools({ tools }: JsonObject): Fault | undefined {
  if (!Array.isArray(tools)) {
    return { path: 'tools', problem: isAbsent(tools) ? undefined : 'must be an array' }
  }
  return under('tools', faultAmong(tools, checkTool))
}
