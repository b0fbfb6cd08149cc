/**
 * Rewrites a vendor's error about a conversation that exceeds the model's window. An agent can fix this error by itself:
 * it shortens the conversation and continues, if it recognizes the error. Vendors word it in many ways; the result has a
 * phrase that clients look for, and the vendor's own message. undefined: the error is about something else.
 */
export function overflowMessage(input: { code: string | undefined; message: string }): string | undefined {
  const { code, message } = input
  if (KNOWN_TO_CLIENTS.test(message)) return message
  if (code !== 'context_length_exceeded' && !isAboutLength(message)) return undefined
  const counts = countsIn(message)
  return counts === undefined ? `prompt is too long: ${message}` : `${counts} (${message})`
}

const KNOWN_TO_CLIENTS = /prompt is too long|input length and `max_tokens` exceed context limit/i

function isAboutLength(message: string): boolean {
  return PHRASES.some((phrase) => phrase.test(message)) && !OTHERS.some((phrase) => phrase.test(message))
}

/** Messages about other limits: a rate, or an output bound above the model's own. */
const OTHERS = [
  /\brate limit|\bper min(?:ute)?\b/i,
  /^\W*max_(?:completion_|output_)?tokens\b(?!.*\binput tokens\b)/i,
]

const PHRASES = [
  /\b(?:exceed\w*|longer than|larger than|maximum|max)\b[^.]{0,60}\bcontext (?:length|window|size|limit)/i,
  /\bcontext (?:length|window|size|limit)[^.]{0,40}\bexceed/i,
  /\bcontext length (?:is|of) only\b/i,
  /\b(?:prompt|token length) (?:is )?too long\b|^(?:the |your )?input is too long\b/i,
  /\bprompt exceeds max(?:imum)? length\b/i,
  /\bexceed\w* (?:the )?model token limit\b/i,
  /\brange of input length should be \[/i,
  /\btokens in request more than max tokens allowed\b/i,
  /\binput token count\b[^.]{0,40}\bexceeds the maximum number of tokens\b/i,
  /\breduce the length of (?:the|your) (?:messages|prompt|input)/i,
]

const LIMIT =
  /context (?:length|window|size|limit)(?: is| of)?(?: only)? \(?([\d,]+)|maximum number of tokens allowed \(([\d,]+)/i
const INPUT =
  /([\d,]+) (?:tokens )?(?:in|from) the (?:input )?messages|([\d,]+) input tokens|input \(([\d,]+) tokens|input token count \(([\d,]+)/i
const OUTPUT =
  /([\d,]+) (?:tokens )?(?:in|for) the completion|([\d,]+) output tokens|max_completion_tokens' is too large: ([\d,]+)/i
const TOTAL = /(?:resulted in|requested(?: a total of)?) ([\d,]+) tokens/i

/** Agents read the numbers to know how much to remove, or how much room there is for an answer. */
function countsIn(message: string): string | undefined {
  const limit = numberIn(message, LIMIT)
  const input = numberIn(message, INPUT)
  const output = numberIn(message, OUTPUT)
  if (limit === undefined) return undefined
  if (input !== undefined && output !== undefined && input < limit) {
    if (input + output <= limit) return undefined
    return `input length and \`max_tokens\` exceed context limit: ${input} + ${output} > ${limit}`
  }
  const length = input ?? numberIn(message, TOTAL)
  if (length === undefined || length <= limit) return undefined
  return `prompt is too long: ${length} tokens > ${limit} maximum`
}

function numberIn(message: string, pattern: RegExp): number | undefined {
  const digits = pattern
    .exec(message)
    ?.slice(1)
    .find((group) => group !== undefined)
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''))
}
