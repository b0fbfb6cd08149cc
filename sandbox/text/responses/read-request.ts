import type { Schema } from '../behaviour/fit-schema.ts'
import { type Field, refuseFields } from '../field.ts'
import type { ModelRequest, RequestToolChoice } from '../model-request.ts'
import { TextProblem } from '../problem.ts'
import { readInput } from './read-input.ts'
import { readTools } from './read-tools.ts'
import type { ReplyItems } from './stored-items.ts'

const FIELDS_OF_OTHER_DIALECTS = [
  'messages',
  'max_tokens',
  'max_completion_tokens',
  'stop',
  'stop_sequences',
  'system',
  'top_k',
  'thinking',
  'output_config',
  'response_format',
  'reasoning_effort',
]
/** Lower bound of the vendor. */
const OUTPUT_TOKENS_MIN = 16
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** Reads `POST /v1/responses` with the checks of its vendor. */
export function readResponsesRequest(body: Field, stored: ReplyItems): ModelRequest {
  refuseFields(body, FIELDS_OF_OTHER_DIALECTS)
  refusePreviousResponse(body.member('previous_response_id'))
  body.member('temperature').ifGiven((field) => field.number({ min: 0, max: 2 }))
  body.member('top_p').ifGiven((field) => field.number({ min: 0, max: 1 }))
  body.member('metadata').ifGiven(readMetadata)
  body.member('reasoning').ifGiven(readReasoning)
  const include = readInclude(body.member('include'))
  const isStored = body.member('store').ifGiven((field) => field.boolean()) ?? true
  const { turns, tools: added } = readInput(body.member('input'), { isStored, stored })
  const tools = [...readTools(body.member('tools')), ...added]
  return {
    model: body.member('model').nonEmptyText(),
    stream: body.member('stream').ifGiven((field) => field.boolean()) ?? false,
    system: body.member('instructions').ifGiven((field) => [field.text()]) ?? [],
    turns,
    tools,
    choice: readChoice(body),
    parallelCalls: body.member('parallel_tool_calls').ifGiven((field) => field.boolean()) ?? true,
    schema: body.member('text').ifGiven(readFormat),
    stopSequences: [],
    maxTokens: body
      .member('max_output_tokens')
      .ifGiven((field) => field.wholeNumber({ min: OUTPUT_TOKENS_MIN })),
    hidesReasoning: false,
    wantsSeal: include.includes('reasoning.encrypted_content'),
    wantsUsage: true,
    cache: { kind: 'auto' },
  }
}

function refusePreviousResponse(field: Field): void {
  if (!field.isGiven) return
  throw new TextProblem('invalid', `Previous response with id '${field.text()}' not found.`, { at: field.at })
}

function readMetadata(metadata: Field): void {
  for (const name of Object.keys(metadata.object())) metadata.member(name).text()
}

function readReasoning(reasoning: Field): void {
  reasoning.member('effort').ifGiven((field) => field.oneOf(EFFORTS))
  reasoning.member('summary').ifGiven((field) => field.oneOf(['auto', 'concise', 'detailed', 'none']))
}

const INCLUDABLE = [
  'reasoning.encrypted_content',
  'message.output_text.logprobs',
  'message.input_image.image_url',
  'file_search_call.results',
  'web_search_call.results',
  'web_search_call.action.sources',
  'code_interpreter_call.outputs',
  'computer_call_output.output.image_url',
]

function readInclude(include: Field): string[] {
  return include.isGiven ? include.items().map((item) => item.oneOf(INCLUDABLE)) : []
}

function readChoice(body: Field): RequestToolChoice {
  const choice = body.member('tool_choice')
  const hasTools = body.member('tools').isGiven && body.member('tools').items().length > 0
  if (!choice.isGiven) return { kind: 'auto' }
  if (typeof choice.value === 'string') {
    const kind = choice.oneOf(['auto', 'none', 'required'])
    if (kind === 'required' && !hasTools) choice.fail('is only allowed when tools are specified')
    return { kind }
  }
  const type = choice.member('type').nonEmptyText()
  if (type !== 'function' && type !== 'custom') return { kind: 'auto' }
  const namespace = choice.member('namespace').ifGiven((name) => name.nonEmptyText())
  return { kind: 'tool', name: choice.member('name').nonEmptyText(), namespace }
}

function readFormat(text: Field): Schema | undefined {
  text.member('verbosity').ifGiven((field) => field.oneOf(['low', 'medium', 'high']))
  return text.member('format').ifGiven((format) => {
    const type = format.member('type').oneOf(['text', 'json_schema', 'json_object'])
    if (type === 'text') return undefined
    if (type === 'json_object') return { type: 'object' }
    const name = format.member('name')
    if (!/^[\w-]{1,64}$/.test(name.text())) name.fail('must be 1 to 64 letters, digits, _ or -')
    return format.member('schema').object()
  })
}
