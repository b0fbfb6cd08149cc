import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { countPages, IMAGE_TOKENS_MAX } from './count-media.ts'
import { BYTES_PER_TOKEN_MIN } from './count-text.ts'

/** A quick upper estimate of a body's input, for holding money before it is sent. */
export interface InputCount {
  /** Upper estimate for text, code and JSON in any common script; media count by their kind. */
  tokens: number
  /** Upper bound for any text; undefined: only the vendor knows how much it reads. */
  tokensMax: number | undefined
  /** The body names files or earlier turns by address or id: the input may fill the model's window. */
  refersOutside: boolean
  /** Part of the input is known only to the vendor, before any tool is used: files, pictures, earlier turns. */
  isHidden: boolean
}

/**
 * Counts a token for every three bytes. Images and documents in base64 count by their kind where the dialects allow
 * media; elsewhere every string is text. Only the length and the beginning of strings are read, so 12 MB of image cost
 * microseconds.
 */
export function countBody({ bytes, value }: { bytes: { length: number }; value: object }): InputCount {
  const seen: BodyInput = { ...NO_INPUT }
  if (isJsonObject(value)) lookAtBody(value, seen)
  const textBytes = Math.max(0, bytes.length - seen.characters)
  return {
    tokens: Math.ceil(textBytes / BYTES_PER_TOKEN_MIN) + seen.tokens,
    tokensMax:
      seen.isOpen || seen.hasTools || seen.refersOutside
        ? undefined
        : textBytes + seen.tokensMax + VENDOR_TOKENS,
    refersOutside: seen.refersOutside,
    isHidden: seen.isOpen || seen.refersOutside,
  }
}

/** Tokens that a vendor may add to a request for its instructions about tools and thinking. */
const VENDOR_TOKENS = 1_000

/** Upper bound for one image at any vendor, also where the vendor counts an image as many tiles. */
const IMAGE_TOKENS_BOUND = 50_000

/** Shorter media cost about what their bytes suggest. */
const MEDIA_CHARACTERS_MIN = 4_096

interface BodyInput {
  /** Characters of media, which do not count as text. */
  characters: number
  tokens: number
  tokensMax: number
  /** Whether the size of some part is known only to the vendor. */
  isOpen: boolean
  /** Whether the vendor runs tools: their input is known only later. */
  hasTools: boolean
  refersOutside: boolean
}

const NO_INPUT: BodyInput = {
  characters: 0,
  tokens: 0,
  tokensMax: 0,
  isOpen: false,
  hasTools: false,
  refersOutside: false,
}

function lookAtBody(body: JsonObject, seen: BodyInput): void {
  const { messages, input, tools, thread, container, mcp_servers: servers } = body
  for (const name of POINTERS) if (isThere(body[name])) seen.refersOutside = true
  if (isJsonObject(thread) && thread.type === 'continue') seen.refersOutside = true
  lookAtTools(tools, seen)
  if (isThere(servers) || isThere(container) || isThere(body.web_search_options)) seen.hasTools = true
  if (Array.isArray(messages)) for (const turn of messages) lookAtParts(Object(turn).content, seen)
  if (Array.isArray(input)) for (const item of input) lookAtItem(item, seen)
}

/** Members that stand for a conversation or a prompt at the vendor. */
const POINTERS = ['previous_response_id', 'conversation', 'prompt']

/** The input that a tool of the vendor adds is known only afterwards. */
function lookAtTools(tools: unknown, seen: BodyInput): void {
  if (!Array.isArray(tools)) return
  for (const tool of tools) {
    const { type } = Object(tool)
    if (typeof type === 'string' && !CLIENT_TOOLS.test(type)) seen.hasTools = true
  }
}

const CLIENT_TOOLS =
  /^(function|custom|namespace|tool_search|local_shell|apply_patch|bash_|text_editor_|computer|memory_)/

function lookAtItem(item: unknown, seen: BodyInput): void {
  if (!isJsonObject(item)) return
  const { type, content, output, tools } = item
  lookAtTools(tools, seen)
  if (type === 'item_reference') seen.refersOutside = true
  else if (type === undefined || type === 'message') lookAtParts(content, seen)
  else if (type === 'image_generation_call') lookAtMedia(item.result, 'image', seen)
  else if (typeof type === 'string' && OUTPUTS.has(type)) lookAtParts(output, seen)
  else if (typeof type !== 'string' || !PLAIN_ITEMS.has(type)) seen.isOpen = true
}

const OUTPUTS = new Set(['function_call_output', 'custom_tool_call_output', 'computer_call_output'])

const PLAIN_ITEMS = new Set([
  ...['function_call', 'custom_tool_call', 'computer_call', 'reasoning'],
  ...['local_shell_call', 'local_shell_call_output', 'shell_call', 'shell_call_output'],
  ...['apply_patch_call', 'apply_patch_call_output', 'tool_search_call', 'tool_search_output'],
  ...['additional_tools', 'web_search_call', 'code_interpreter_call', 'compaction', 'compaction_summary'],
])

function lookAtParts(parts: unknown, seen: BodyInput): void {
  if (Array.isArray(parts)) for (const part of parts) lookAtPart(part, seen)
  else if (isJsonObject(parts)) lookAtPart(parts, seen)
}

/** Bodies are nested 64 deep at most, so the recursion is bounded. */
function lookAtPart(part: unknown, seen: BodyInput): void {
  if (!isJsonObject(part)) return
  switch (part.type) {
    case 'image':
    case 'document':
      lookAtSource(part.source, part.type, seen)
      break
    case 'tool_result':
      lookAtParts(part.content, seen)
      break
    case 'input_image':
    case 'computer_screenshot':
      lookAtUrl(part.image_url, 'image', seen, part.file_id)
      break
    case 'image_url':
      lookAtUrl(Object(part.image_url).url, 'image', seen)
      break
    case 'input_file':
      lookAtUrl(part.file_data, 'document', seen, part.file_id ?? part.file_url)
      break
    case 'file':
      lookAtUrl(Object(part.file).file_data, 'document', seen, Object(part.file).file_id)
      break
    default:
      if (typeof part.type !== 'string' || !PLAIN_PARTS.has(part.type)) seen.isOpen = true
  }
}

const PLAIN_PARTS = new Set([
  ...['text', 'input_text', 'output_text', 'summary_text', 'reasoning_text', 'refusal'],
  ...['thinking', 'redacted_thinking', 'tool_use', 'server_tool_use', 'search_result', 'tool_reference'],
  ...['web_search_tool_result', 'tool_search_tool_result'],
])

type CountedMedia = 'image' | 'document'

/** Looks at a source of the messages dialect. */
function lookAtSource(source: unknown, kind: CountedMedia, seen: BodyInput): void {
  if (!isJsonObject(source)) return
  if (source.type === 'base64') lookAtMedia(source.data, kind, seen, source.media_type)
  else if (source.type === 'content') lookAtParts(source.content, seen)
  else if (source.type !== 'text') lookAtReference(kind, seen)
}

/** Looks at a URL of the other dialects: a `data:` URL holds the media itself. */
function lookAtUrl(url: unknown, kind: CountedMedia, seen: BodyInput, reference?: unknown): void {
  if (isThere(reference)) lookAtReference(kind, seen)
  if (typeof url !== 'string') return
  if (kind === 'document' || url.startsWith('data:')) lookAtMedia(url, kind, seen, url)
  else lookAtReference(kind, seen)
}

/** The vendor fetches the media: an image stays one image, a document may fill the model's window. */
function lookAtReference(kind: CountedMedia, seen: BodyInput): void {
  if (kind === 'document') seen.refersOutside = true
  else {
    seen.isOpen = true
    seen.tokens += IMAGE_TOKENS_MAX
  }
}

/** Base64 of a text counts as text; the length of other documents does not tell their number of pages. */
function lookAtMedia(base64: unknown, kind: CountedMedia, seen: BodyInput, mediaType?: unknown): void {
  if (typeof base64 !== 'string') return
  const isLong = base64.length >= MEDIA_CHARACTERS_MIN
  if (kind === 'image') {
    // The length of a picture in bytes does not tell its size in pixels either.
    seen.tokensMax += IMAGE_TOKENS_BOUND
    if (!isLong) return
    seen.tokens += IMAGE_TOKENS_MAX
  } else {
    if (typeof mediaType === 'string' && /^(data:)?text\//.test(mediaType)) return
    seen.isOpen = true
    if (!isLong) return
    seen.tokens += countPages(base64.length)
  }
  seen.characters += base64.length
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}
