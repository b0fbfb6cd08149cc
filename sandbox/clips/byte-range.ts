export interface ByteRange {
  start: number
  /** The last byte that is wanted. */
  end: number
}

/** The one range that a `Range` header asks for; undefined where the whole is to be sent. */
export function readByteRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [match, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (match === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    const wanted = Math.min(Number(last), sizeBytes)
    return wanted === 0 ? 'unsatisfiable' : { start: sizeBytes - wanted, end: sizeBytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= sizeBytes ? 'unsatisfiable' : { start, end }
}
