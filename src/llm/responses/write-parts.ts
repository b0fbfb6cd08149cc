import type { DocumentSource, ImageSource, Part, ResultPart } from '../hub/text-request.ts'

/** A part of what a user, a developer or a tool says. */
export function writeInputPart(part: ResultPart): object {
  switch (part.kind) {
    case 'text':
      return { type: 'input_text', text: part.text }
    case 'image':
      return { type: 'input_image', image_url: urlOf(part.source), detail: part.detail ?? 'auto' }
    case 'document':
      return writeDocument(part.source, part.name)
  }
}

/** A plain text needs no file: it is said, with its name above it. */
function writeDocument(source: DocumentSource, name: string | undefined): object {
  switch (source.kind) {
    case 'text':
      return { type: 'input_text', text: name === undefined ? source.text : `${name}\n\n${source.text}` }
    case 'url':
      return { type: 'input_file', file_url: source.url }
    case 'base64':
      return { type: 'input_file', filename: name ?? fileName(source.mediaType), file_data: urlOf(source) }
  }
}

function urlOf(source: ImageSource): string {
  return source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`
}

function fileName(mediaType: string): string {
  return mediaType === 'application/pdf' ? 'document.pdf' : 'document.txt'
}

/** A part of what the assistant said; undefined: it has no place among its words. */
export function writeOutputPart(part: Part): object | undefined {
  if (part.kind === 'text') return { type: 'output_text', text: part.text, annotations: [] }
  return part.kind === 'refusal' ? { type: 'refusal', refusal: part.text } : undefined
}

/** Text alone is a plain string, which every vendor of this wire takes. */
export function writeResult(parts: readonly ResultPart[], isError: boolean): string | object[] {
  if (parts.every((part) => part.kind === 'text')) {
    const text = parts.map((part) => part.text).join('\n')
    return isError ? `${ERROR_MARK}\n${text}` : text
  }
  const written = parts.map(writeInputPart)
  return isError ? [{ type: 'input_text', text: ERROR_MARK }, ...written] : written
}

/** This wire cannot mark a result as failed, so it is said in words. */
const ERROR_MARK = '[The tool failed.]'
