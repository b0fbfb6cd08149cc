/** Random access to a file, so that a large one is never in memory as a whole. */
export interface ClipReader {
  readonly size: number
  /** Returns fewer than `length` bytes only at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>
}

/** A range of another file, or bytes. */
export type ClipPiece = Uint8Array | { file: ClipReader; start: number; end: number }

export function bytesReader(bytes: Uint8Array): ClipReader {
  return {
    size: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  }
}

/** Reads pieces one behind the other, as if they were one file. */
export function joinPieces(pieces: readonly ClipPiece[]): ClipReader {
  const size = pieces.reduce((sum, piece) => sum + pieceSize(piece), 0)
  return {
    size,
    async read(offset, length) {
      const parts: Uint8Array[] = []
      const end = Math.min(size, offset + length)
      let at = 0
      for (const piece of pieces) {
        const from = Math.max(offset, at)
        const to = Math.min(end, at + pieceSize(piece))
        if (from < to) parts.push(await readPiece(piece, from - at, to - from))
        at += pieceSize(piece)
      }
      return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
    },
  }
}

const CHUNK_BYTES = 1 << 20

/** The bytes from `start` to `end`, in pieces of at most 1 MiB. */
export async function* readChunks(
  file: ClipReader,
  start = 0,
  end: number = file.size,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = start; at < end; at += CHUNK_BYTES) yield await file.read(at, Math.min(CHUNK_BYTES, end - at))
}

function pieceSize(piece: ClipPiece): number {
  return piece instanceof Uint8Array ? piece.length : piece.end - piece.start
}

function readPiece(piece: ClipPiece, offset: number, length: number): Promise<Uint8Array> | Uint8Array {
  if (piece instanceof Uint8Array) return piece.subarray(offset, offset + length)
  return piece.file.read(piece.start + offset, length)
}
