import type { AskedTurn } from '../asked.ts'
import type { Field } from '../field.ts'

export type ReadContent = Pick<AskedTurn, 'images' | 'documents'> & { texts: string[] }

const KINDS = {
  input: ['input_text', 'input_image', 'input_file'],
  output: ['output_text', 'refusal'],
} as const

/** The parts of a message, or of a tool's output; a string is short for one text. */
export function readContent(content: Field, side: 'input' | 'output'): ReadContent {
  if (typeof content.value === 'string') return { texts: [content.value], images: 0, documents: 0 }
  const read: ReadContent = { texts: [], images: 0, documents: 0 }
  for (const part of content.items()) {
    switch (part.member('type').oneOf<string>(KINDS[side])) {
      case 'input_image':
        readImage(part)
        read.images += 1
        break
      case 'input_file':
        readFile(part)
        read.documents += 1
        break
      case 'refusal':
        read.texts.push(part.member('refusal').text())
        break
      default:
        read.texts.push(part.member('text').text())
    }
  }
  return read
}

function readImage(part: Field): void {
  part.member('detail').ifGiven((field) => field.oneOf(['low', 'high', 'auto', 'original']))
  if (part.member('file_id').isGiven) return
  const url = part.member('image_url')
  if (!/^(https?:\/\/|data:image\/(png|jpeg|gif|webp);base64,)./.test(url.text())) {
    url.fail('Expected a base64-encoded data URL with an image MIME type, or an HTTP URL.')
  }
}

function readFile(part: Field): void {
  const given = ['file_data', 'file_id', 'file_url'].filter((name) => part.member(name).isGiven)
  if (given.length !== 1) part.fail('needs one of file_data, file_id or file_url')
  const data = part.member('file_data')
  if (!data.isGiven) return
  if (!/^data:[\w.+-]+\/[\w.+-]+;base64,./.test(data.text().slice(0, 200)))
    data.fail('must be a base64 data URL')
  part.member('filename').words()
}
