/** A file that was received whole; it is not in the media store yet. */
export interface StagedFile {
  path: string
  bytes: number
  sha256: string
}

/** Files on their way into the media store, on the disk of this machine. */
export interface MediaStage {
  /** Writes a stream to disk. Rejects when it has more than `bytesMax` bytes (`FileTooLarge`) or breaks. */
  receive(file: {
    name: string
    body: AsyncIterable<Uint8Array>
    bytesMax: number
    onPiece(): void
    signal: AbortSignal
  }): Promise<StagedFile>
  /** Reads a stream to its end. */
  measure(body: AsyncIterable<Uint8Array>): Promise<Pick<StagedFile, 'bytes' | 'sha256'>>
  drop(name: string): Promise<void>
  /** Removes files that a process left behind when it died. */
  tidy(): Promise<void>
}

export class FileTooLarge extends Error {}

export interface StoredFile {
  key: string
  bytes: number
}

/** Kept files. A put that has resolved survives a crash. */
export interface MediaStore {
  /** Moves the file into the store; a reader never sees a part of it. */
  put(file: StagedFile & { key: string; mediaType: string; signal: AbortSignal }): Promise<void>
  /** Returns undefined when there is no such file. Both ends of a range are included. */
  open(part: {
    key: string
    range: { from: number; to: number } | undefined
    signal: AbortSignal
  }): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Removes all files whose keys begin with this text, which is a whole key or ends with a slash. */
  remove(start: string): Promise<void>
  list(): AsyncIterable<StoredFile>
}
