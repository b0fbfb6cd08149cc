import type { AskedTurn } from '../asked.ts'
import type { Field } from '../field.ts'

export type ReadContent = Pick<AskedTurn, 'images' | 'documents'> & { texts: string[] }

/** The parts of a message; a string is short for one text. */
export function readContent(content: Field, kinds: readonly string[]): ReadContent {
  if (typeof content.value === 'string') return { texts: [content.value], images: 0, documents: 0 }
  const read: ReadContent = { texts: [], images: 0, documents: 0 }
  const parts = content.items()
  if (parts.length === 0) content.fail('[] is too short')
  for (const part of parts) {
    switch (part.member('type').oneOf(kinds)) {
      case 'image_url':
        readImage(part.member('image_url'))
        read.images += 1
        break
      case 'file':
        readFile(part.member('file'))
        read.documents += 1
        break
      case 'input_audio':
        part.member('input_audio').member('data').words()
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

function readImage(image: Field): void {
  image.member('detail').ifGiven((field) => field.oneOf(['low', 'high', 'auto', 'original']))
  const url = image.member('url')
  if (!/^(https?:\/\/|data:image\/(png|jpeg|gif|webp);base64,)./.test(url.text().slice(0, 200))) {
    url.fail('Expected a base64-encoded data URL with an image MIME type, or an HTTP URL.')
  }
}

function readFile(file: Field): void {
  const data = file.member('file_data')
  if (!data.isGiven && !file.member('file_id').isGiven) file.fail('needs file_data or file_id')
  if (!data.isGiven) return
  if (!/^data:[\w.+-]+\/[\w.+-]+;base64,./.test(data.text().slice(0, 200)))
    data.fail('must be a base64 data URL')
  file.member('filename').words()
}
