import { innerLinkIn, problemOfMedia } from '../../canonical/media-source.ts'
import type { FindUrlProblem } from '../../canonical/problem.ts'
import {
  needName,
  needText,
  optionalText,
  prefixPath,
  problemAmong,
  type RequestProblem,
} from '../../canonical/problem.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { isNil } from '../../values/values.ts'

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const

/** Checks one message. Unknown fields pass. */
export function checkMessage(message: JsonObject, problemOfUrl: FindUrlProblem): RequestProblem | undefined {
  const role = ROLES.find((one) => one === message.role)
  switch (role) {
    case undefined:
      return {
        path: 'role',
        problem: isNil(message.role) ? undefined : `must be one of ${ROLES.join(', ')}`,
      }
    case 'assistant':
      return checkAssistant(message, problemOfUrl)
    case 'tool':
      return needName(message, 'tool_call_id') ?? checkContent(message, problemOfUrl)
    case 'function':
      return needName(message, 'name') ?? optionalText(message, 'content')
    default:
      return checkContent(message, problemOfUrl)
  }
}

/** Clients leave the content out, or write null for it, in a message of calls alone. */
function checkAssistant(message: JsonObject, problemOfUrl: FindUrlProblem): RequestProblem | undefined {
  const { content, tool_calls: calls } = message
  return (
    (isNil(content) ? undefined : checkContent(message, problemOfUrl)) ??
    optionalText(message, 'refusal') ??
    checkCalls(calls, problemOfUrl)
  )
}

function checkCalls(calls: unknown, problemOfUrl: FindUrlProblem): RequestProblem | undefined {
  if (isNil(calls)) return undefined
  if (!Array.isArray(calls)) return { path: 'tool_calls', problem: 'must be an array' }
  return prefixPath('tool_calls', problemAmong(calls, checkCall, problemOfUrl))
}

/** Checks one call. Some clients leave the type out: then it is a function. */
function checkCall(call: JsonObject): RequestProblem | undefined {
  const problem = needName(call, 'id') ?? optionalText(call, 'type')
  if (problem !== undefined) return problem
  const isCustom = call.type === 'custom'
  if (!isCustom && !isNil(call.type) && call.type !== 'function') return undefined
  const member = isCustom ? 'custom' : 'function'
  const called = call[member]
  if (!isJsonObject(called)) return { path: member, problem: isNil(called) ? undefined : 'must be an object' }
  return prefixPath(member, needName(called, 'name') ?? needText(called, isCustom ? 'input' : 'arguments'))
}

function checkContent({ content }: JsonObject, problemOfUrl: FindUrlProblem): RequestProblem | undefined {
  if (typeof content === 'string') return undefined
  if (Array.isArray(content)) return prefixPath('content', problemAmong(content, checkPart, problemOfUrl))
  return { path: 'content', problem: isNil(content) ? undefined : 'must be a string or an array of parts' }
}

/** Checks one part of a message. An unknown kind of part passes. */
function checkPart(part: JsonObject, problemOfUrl: FindUrlProblem): RequestProblem | undefined {
  const problem = needText(part, 'type')
  if (problem !== undefined) return problem
  switch (part.type) {
    case 'text':
      return needText(part, 'text')
    case 'refusal':
      return needText(part, 'refusal')
    case 'image_url':
      return checkImage(part.image_url, problemOfUrl)
    case 'file':
      return checkFile(part.file) ?? checkSources(part, 'file', problemOfUrl)
    default:
      return checkSources(part, String(part.type), problemOfUrl)
  }
}

/** The member named after the kind of the part holds the source of the media: `video_url`, `input_audio`. */
function checkSources(
  part: JsonObject,
  kind: string,
  problemOfUrl: FindUrlProblem,
): RequestProblem | undefined {
  return (
    innerLinkIn(part, [kind], problemOfUrl) ??
    prefixPath(kind, innerLinkIn(part[kind], SOURCES, problemOfUrl))
  )
}

const SOURCES: readonly string[] = ['url', 'data', 'file_data', 'file_url']

function checkImage(image: unknown, problemOfUrl: FindUrlProblem): RequestProblem | undefined {
  if (!isJsonObject(image))
    return { path: 'image_url', problem: isNil(image) ? undefined : 'must be an object' }
  const invalid = needName(image, 'url') ?? optionalText(image, 'detail')
  if (invalid !== undefined) return prefixPath('image_url', invalid)
  const problem = problemOfMedia(String(image.url), problemOfUrl)
  return problem === undefined ? undefined : { path: 'image_url.url', problem }
}

function checkFile(file: unknown): RequestProblem | undefined {
  if (!isJsonObject(file)) return { path: 'file', problem: isNil(file) ? undefined : 'must be an object' }
  const isGiven = !isNil(file.file_data) || !isNil(file.file_id)
  return prefixPath(
    'file',
    isGiven
      ? (optionalText(file, 'file_data') ?? optionalText(file, 'file_id') ?? optionalText(file, 'filename'))
      : { path: 'file_data', problem: undefined },
  )
}
