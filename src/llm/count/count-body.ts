import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { countPages, IMAGE_TOKENS_MAX } from './count-media.ts'
import { BYTES_PER_TOKEN_MIN } from './count-text.ts'

/** What goes in with a body, counted quickly and from above, for setting money aside before it is sent. */
export interface InputCount {
  /** More than text, code and JSON come to in any usual script; media count as what they are. */
  tokens: number
  /** No vendor counts more, whatever is in the text; undefined: only the vendor knows how much it reads. */
  tokensMax: number | undefined
  /** It names files or earlier turns by an address or an id: all that the model can read may go in. */
  pointsElsewhere: boolean
  /** So much goes in that shows only at the vendor's, before any tool is used: files, pictures, earlier turns. */
  isHidden: boolean
}

/**
 * A token for every three bytes. Images and documents in base64 would make that absurd, so they count as what they are,
 * but only where the dialects let media stand: elsewhere a string is text, whatever it begins with. No string is read
 * for that, only its length and its beginning: 12 MB of image cost microseconds.
 */
export function countBody({ bytes, value }: { bytes: { length: number }; value: object }): InputCount {
  const seen: Seen = { ...NOTHING_SEEN }
  if (isJsonObject(value)) lookAtBody(value, seen)
  const textBytes = Math.max(0, bytes.length - seen.characters)
  return {
    tokens: Math.ceil(textBytes / BYTES_PER_TOKEN_MIN) + seen.tokens,
    tokensMax:
      seen.isOpen || seen.hasTools || seen.pointsElsewhere
        ? undefined
        : textBytes + seen.tokensMax + VENDOR_TOKENS,
    pointsElsewhere: seen.pointsElsewhere,
    isHidden: seen.isOpen || seen.pointsElsewhere,
  }
}

/** What a vendor may put before a request: how tools are called, how to think. */
const VENDOR_TOKENS = 1_000

/** The dearest image of all vendors: one that is counted by tiles, each at the price of a page. */
const IMAGE_TOKENS_BOUND = 50_000

/** A shorter one costs about what its bytes say. */
const MEDIA_CHARACTERS_MIN = 4_096

interface Seen {
  /** Characters of media, which are no text. */
  characters: number
  tokens: number
  tokensMax: number
  /** Something whose size shows only at the vendor's. */
  isOpen: boolean
  /** Tools that the vendor runs: whether they put anything in shows only later. */
  hasTools: boolean
  pointsElsewhere: boolean
}

const NOTHING_SEEN: Seen = {
  characters: 0,
  tokens: 0,
  tokensMax: 0,
  isOpen: false,
  hasTools: false,
  pointsElsewhere: false,
}

function lookAtBody(body: JsonObject, seen: Seen): void {
  const { messages, input, tools, thread, container, mcp_servers: servers } = body
  for (const name of POINTERS) if (isThere(body[name])) seen.pointsElsewhere = true
  if (isJsonObject(thread) && thread.type === 'continue') seen.pointsElsewhere = true
  lookAtTools(tools, seen)
  if (isThere(servers) || isThere(container) || isThere(body.web_search_options)) seen.hasTools = true
  if (Array.isArray(messages)) for (const turn of messages) lookAtParts(Object(turn).content, seen)
  if (Array.isArray(input)) for (const item of input) lookAtItem(item, seen)
}

/** Each stands for a conversation or a prompt that the vendor keeps. */
const POINTERS = ['previous_response_id', 'conversation', 'prompt']

/** What a tool that the vendor runs by itself puts in, shows only afterwards. */
function lookAtTools(tools: unknown, seen: Seen): void {
  if (!Array.isArray(tools)) return
  for (const tool of tools) {
    const { type } = Object(tool)
    if (typeof type === 'string' && !CLIENT_TOOLS.test(type)) seen.hasTools = true
  }
}

const CLIENT_TOOLS =
  /^(function|custom|namespace|tool_search|local_shell|apply_patch|bash_|text_editor_|computer|memory_)/

function lookAtItem(item: unknown, seen: Seen): void {
  if (!isJsonObject(item)) return
  const { type, content, output } = item
  if (type === 'item_reference') seen.pointsElsewhere = true
  else if (type === 'additional_tools') lookAtTools(item.tools, seen)
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
  ...['web_search_call', 'code_interpreter_call', 'compaction', 'compaction_summary'],
])

function lookAtParts(parts: unknown, seen: Seen): void {
  if (Array.isArray(parts)) for (const part of parts) lookAtPart(part, seen)
  else if (isJsonObject(parts)) lookAtPart(parts, seen)
}

/** Bodies are nested 64 deep at most, so it may call itself. */
function lookAtPart(part: unknown, seen: Seen): void {
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

type MediaKind = 'image' | 'document'

/** Of the messages dialect. */
function lookAtSource(source: unknown, kind: MediaKind, seen: Seen): void {
  if (!isJsonObject(source)) return
  if (source.type === 'base64') lookAtMedia(source.data, kind, seen, source.media_type)
  else if (source.type === 'content') lookAtParts(source.content, seen)
  else if (source.type !== 'text') lookAtReference(kind, seen)
}

/** Of the other dialects: a `data:` URL holds the media itself. */
function lookAtUrl(url: unknown, kind: MediaKind, seen: Seen, reference?: unknown): void {
  if (isThere(reference)) lookAtReference(kind, seen)
  if (typeof url !== 'string') return
  if (kind === 'document' || url.startsWith('data:')) lookAtMedia(url, kind, seen, url)
  else lookAtReference(kind, seen)
}

/** A vendor fetches it: an image stays one image, a document may be all that the model can read. */
function lookAtReference(kind: MediaKind, seen: Seen): void {
  if (kind === 'document') seen.pointsElsewhere = true
  else {
    seen.isOpen = true
    seen.tokens += IMAGE_TOKENS_MAX
  }
}

/** Base64 of a text is a text; how many pages other documents have, their bytes do not tell. */
function lookAtMedia(base64: unknown, kind: MediaKind, seen: Seen, said?: unknown): void {
  if (typeof base64 !== 'string') return
  const isLong = base64.length >= MEDIA_CHARACTERS_MIN
  if (kind === 'image') {
    // How large a picture is, its bytes do not tell either.
    seen.tokensMax += IMAGE_TOKENS_BOUND
    if (!isLong) return
    seen.tokens += IMAGE_TOKENS_MAX
  } else {
    if (typeof said === 'string' && /^(data:)?text\//.test(said)) return
    seen.isOpen = true
    if (!isLong) return
    seen.tokens += countPages(base64.length)
  }
  seen.characters += base64.length
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}
