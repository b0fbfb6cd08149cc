import type { Schema } from '../behaviour/fit-schema.ts'
import { type Field, refuseFields } from '../field.ts'
import type { ModelRequest, OfferedTool, RequestToolChoice } from '../model-request.ts'
import { readTurns } from './read-turns.ts'

const FIELDS_OF_OTHER_DIALECTS = [
  'input',
  'instructions',
  'max_output_tokens',
  'stop_sequences',
  'system',
  'top_k',
  'thinking',
  'output_config',
  'text',
  'reasoning',
  'include',
]
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const STOPS_MAX = 4

/** Reads `POST /v1/chat/completions` with the checks of its vendors. */
export function readChatRequest(body: Field): ModelRequest {
  refuseFields(body, FIELDS_OF_OTHER_DIALECTS)
  body.member('temperature').ifGiven((field) => field.number({ min: 0, max: 2 }))
  body.member('top_p').ifGiven((field) => field.number({ min: 0, max: 1 }))
  body.member('n').ifGiven((field) => (field.value === 1 ? 1 : field.fail('only one choice is made here')))
  body.member('reasoning_effort').ifGiven((field) => field.oneOf(EFFORTS))
  const stream = body.member('stream').ifGiven((field) => field.boolean()) ?? false
  const tools = readTools(body.member('tools'))
  const atLeastOne = (field: Field) => field.wholeNumber({ min: 1 })
  return {
    model: body.member('model').nonEmptyText(),
    stream,
    system: [],
    turns: readTurns(body.member('messages')),
    tools,
    choice: readChoice(body.member('tool_choice'), tools),
    parallelCalls: readParallel(body.member('parallel_tool_calls'), tools),
    schema: body.member('response_format').ifGiven(readFormat),
    stopSequences: readStop(body.member('stop')),
    maxTokens:
      body.member('max_completion_tokens').ifGiven(atLeastOne) ??
      body.member('max_tokens').ifGiven(atLeastOne),
    hidesReasoning: false,
    wantsSeal: false,
    wantsUsage: readStreamOptions(body.member('stream_options'), stream),
    cache: { kind: 'auto' },
  }
}

function readTools(field: Field): OfferedTool[] {
  if (!field.isGiven) return []
  const items = field.items()
  if (items.length === 0) field.fail('[] is too short')
  return items.map((tool) => {
    const type = tool.member('type').oneOf(['function', 'custom'])
    const inner = tool.member(type)
    const name = inner.member('name')
    if (!NAME.test(name.text())) name.fail(`must match pattern '${NAME.source}'`)
    const description = inner.member('description').ifGiven((text) => text.text()) ?? ''
    const schema =
      type === 'function'
        ? (inner.member('parameters').ifGiven((parameters) => parameters.object()) ?? {})
        : undefined
    return { name: name.text(), namespace: undefined, description, schema }
  })
}

function readChoice(choice: Field, tools: readonly OfferedTool[]): RequestToolChoice {
  if (!choice.isGiven) return { kind: 'auto' }
  if (tools.length === 0) choice.fail('is only allowed when tools are specified')
  if (typeof choice.value === 'string') return { kind: choice.oneOf(['auto', 'none', 'required']) }
  const type = choice.member('type').oneOf(['function', 'custom', 'allowed_tools'])
  if (type === 'allowed_tools') return { kind: 'auto' }
  const name = choice.member(type).member('name')
  if (!tools.some((tool) => tool.name === name.value)) name.fail('is no tool that was offered')
  return { kind: 'tool', name: name.text() }
}

function readParallel(field: Field, tools: readonly OfferedTool[]): boolean {
  if (!field.isGiven) return true
  if (tools.length === 0) field.fail('is only allowed when tools are specified')
  return field.boolean()
}

function readFormat(format: Field): Schema | undefined {
  const type = format.member('type').oneOf(['text', 'json_schema', 'json_object'])
  if (type === 'text') return undefined
  if (type === 'json_object') return { type: 'object' }
  const inner = format.member('json_schema')
  if (!NAME.test(inner.member('name').text()))
    inner.member('name').fail(`must match pattern '${NAME.source}'`)
  return inner.member('schema').object()
}

function readStop(stop: Field): string[] {
  if (!stop.isGiven) return []
  if (typeof stop.value === 'string') return [stop.nonEmptyText()]
  const items = stop.items()
  if (items.length > STOPS_MAX)
    stop.fail(`array too long. Expected an array with maximum length ${STOPS_MAX}`)
  return items.map((item) => item.nonEmptyText())
}

function readStreamOptions(options: Field, stream: boolean): boolean {
  if (!options.isGiven) return !stream
  if (!stream) options.fail('is only allowed when stream is enabled')
  return options.member('include_usage').ifGiven((field) => field.boolean()) ?? false
}
