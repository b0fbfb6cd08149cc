import { isJsonObject } from '../json/json-object.ts'
import { parseOrNone } from '../json/parse-or-none.ts'
import { walkMembers } from '../json/walk-members.ts'
import { errorEdits, textEdits } from './error-edits.ts'
import { type EventFrame, type FrameLine, holdObject, isPlainData, readFrame } from './read-frame.ts'
import { replyEdits } from './reply-edits.ts'
import { type Edit, spliceBytes } from './splice-bytes.ts'
import type {
  FrameInfo,
  FramePlace,
  InspectedFrame,
  NamedEventListener,
  StreamListener,
} from './stream-listener.ts'

/** Inspects one event and adds the edits for it. undefined: it cannot be read. */
export function inspectFrame(
  place: FramePlace,
  listener: StreamListener,
  edits: Edit[],
): InspectedFrame | undefined {
  return 'inspect' in listener ? listener.inspect(place, edits) : inspectEvent(place, listener, edits)
}
function inspectEvent(
  place: FramePlace,
  listener: NamedEventListener,
  edits: Edit[],
): InspectedFrame | undefined {
  const { text, end } = place
  const start = skipBreaks(place)
  if (!place.hasReturns && text.startsWith('event: ', start)) {
    const lineEnd = text.indexOf('\n', start)
    const use = listener.use(text.slice(start + 7, lineEnd))
    if (isPlainData(text, lineEnd + 1, end)) {
      if (use === 'delta') return delta(listener, text, start, end)
      if (use === undefined || listener.isSilent?.(text, end) === true) return SILENT
    }
  }
  const frame = readFrame(text, start, end)
  if (frame.lines.length === 0) return SILENT
  const name = frame.name ?? typeOf(place, frame.lines)
  if (name === undefined) return undefined
  if (frame.name === undefined) edits.push({ start, end: start, text: `event: ${name}\n` })
  const use = listener.use(name)
  if (use === 'read') return readEvent({ ...place, start }, { ...frame, name }, listener, edits)
  if (holdObject(text, frame.lines)) return use === 'delta' ? delta(listener, text, start, end) : SILENT
  // Some vendors keep the connection open with empty events.
  return use === undefined && frame.lines.every((line) => line.start === line.end) ? SILENT : undefined
}

/** Whether bytes without a blank line at the end hold one whole event. */
export function isWholeEvent(bytes: Buffer): boolean {
  const { lines } = readFrame(bytes.toString('latin1'), 0, bytes.length)
  return lines.length > 0 && isJsonObject(parseOrNone(joinLines(bytes, lines)))
}

/** Result for an event without output that does not end the reply. */
export const SILENT: InspectedFrame = { outputBytes: 0, end: undefined }

function delta(listener: NamedEventListener, text: string, start: number, end: number): InspectedFrame {
  return { outputBytes: listener.deltaBytes(text, start, end), end: undefined }
}

function readEvent(
  place: FramePlace,
  { name, lines }: EventFrame & { name: string },
  listener: NamedEventListener,
  edits: Edit[],
): InspectedFrame | undefined {
  const event = parseOrNone(joinLines(place.bytes, lines))
  if (!isJsonObject(event)) return undefined
  const info = listener.read(name, event)
  if (info === undefined) return undefined
  if (info.envelope !== undefined || name === 'error') editEvent(place, { name, lines }, info, edits)
  return { outputBytes: info.outputBytes ?? 0, end: info.end }
}

function editEvent(
  { bytes, text, start, end, model, hides }: FramePlace,
  { name, lines }: EventFrame,
  { envelope, outputText }: FrameInfo,
  edits: Edit[],
): void {
  const [line] = lines
  const editsOf = (data: string, from: number) => {
    const found: Edit[] = []
    const add = (more: readonly Edit[]) => {
      for (const edit of more) found.push(edit)
    }
    walkMembers(data, data.indexOf('{', from), (member, valueStart, valueEnd) => {
      if (member === envelope) add(replyEdits(data, valueStart, { model, outputText, hides }))
      else if (name !== 'error') return false
      else if (member === 'message') add(textEdits(data, valueStart, valueEnd, hides))
      else if (member === 'error' && data[valueStart] === '{') add(errorEdits(data, valueStart, hides))
      return false
    })
    return found
  }
  if (line !== undefined && lines.length === 1) {
    for (const edit of editsOf(text, line.start)) edits.push(edit)
    return
  }
  // Data over several lines cannot be edited in place: the beginnings of the lines are in between.
  const data = Buffer.from(joinLines(bytes, lines))
  const edited = spliceBytes(data, editsOf(data.toString('latin1'), 0)).toString('utf8')
  const given = edits.at(-1)
  if (given?.start === start) edits.pop()
  edits.push({ start, end, text: `event: ${name}\ndata: ${edited.replaceAll('\n', '\ndata: ')}\n\n` })
}

/** An event without a name has its type in the data, most often at the very beginning. */
function typeOf({ bytes, text }: FramePlace, lines: readonly FrameLine[]): string | undefined {
  const [line] = lines
  if (line !== undefined && text.startsWith(TYPE, line.start)) {
    const quote = text.indexOf('"', line.start + TYPE.length)
    if (quote !== -1 && quote < line.end) return nameIn(text.slice(line.start + TYPE.length, quote))
  }
  const event = parseOrNone(joinLines(bytes, lines))
  return isJsonObject(event) ? nameIn(event.type) : undefined
}

const TYPE = '{"type":"'

/** The type becomes a line of the stream, so it must be a plain word. */
function nameIn(type: unknown): string | undefined {
  return typeof type === 'string' && /^[\w.]+$/.test(type) ? type : undefined
}

export function joinLines(bytes: Buffer, lines: readonly FrameLine[]): string {
  const [first] = lines
  if (first !== undefined && lines.length === 1) return bytes.toString('utf8', first.start, first.end)
  return lines.map(({ start, end }) => bytes.toString('utf8', start, end)).join('\n')
}

/** Skips line breaks only up to the end of this event: a run of blank lines would be skipped again for each of its events. */
function skipBreaks({ text, start, end }: FramePlace): number {
  let at = start
  while (at < end && (text[at] === '\n' || text[at] === '\r')) at += 1
  return at
}
