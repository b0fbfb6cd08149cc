export interface Box {
  type: string
  /** Offset of its content in the file. */
  start: number
  content: Buffer
  boxes: Box[]
}

const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'dinf', 'stbl']

/** The boxes of an MP4 file, checked to fill it to the last byte. */
export function readBoxes(file: Buffer, offset = 0): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at < file.length; ) {
    const size = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    if (size < 8 || at + size > file.length) throw new Error(`Box ${type} has the wrong size ${size}.`)
    const content = file.subarray(at + 8, at + size)
    const start = offset + at + 8
    boxes.push({ type, start, content, boxes: CONTAINERS.includes(type) ? readBoxes(content, start) : [] })
    at += size
  }
  return boxes
}

export function findBox(boxes: readonly Box[], path: string): Box {
  const [type, ...rest] = path.split('/')
  const found = boxes.find((box) => box.type === type)
  if (found === undefined) throw new Error(`There is no box ${path}.`)
  return rest.length === 0 ? found : findBox(found.boxes, rest.join('/'))
}
