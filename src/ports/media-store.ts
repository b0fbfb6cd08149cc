import type { FileFacts } from '../domain/video/clip.ts'

/** A file that was received whole and is not in the media store yet. */
export interface StagedFile {
  path: string
  bytes: number
  sha256: string
}

/** Marks that a video gets. */
export interface MarkOrder {
  /** Members of the metadata of GB 45438-2025; undefined: none are added. */
  aigc: Readonly<Record<string, string>> | undefined
  c2pa:
    | { certificates: string; key: string; generator: { name: string; version: string }; model: string }
    | undefined
}

/** A staged file with the facts from its content. It also has the ordered marks, if its format can have them. */
export interface PreparedFile extends StagedFile {
  facts: Pick<FileFacts, 'durationMs' | 'width' | 'height' | 'marks'>
}

export interface MediaStage {
  /** Writes a stream to disk. Rejects when it breaks or has more than `bytesMax` bytes (`FileTooLarge`). */
  receive(file: {
    name: string
    body: AsyncIterable<Uint8Array>
    bytesMax: number
    onPiece(): void
    signal: AbortSignal
  }): Promise<StagedFile>
  measure(body: AsyncIterable<Uint8Array>): Promise<Pick<StagedFile, 'bytes' | 'sha256'>>
  prepare(work: { file: StagedFile; marks: MarkOrder; signal: AbortSignal }): Promise<PreparedFile>
  drop(name: string): Promise<void>
  /** Removes files of a process that died. */
  tidy(): Promise<void>
}

export class FileTooLarge extends Error {}

export interface StoredFile {
  key: string
  bytes: number
}

/** Kept files. A put that has resolved survives a crash. */
export interface MediaStore {
  /** Moves the file into the store; readers see all of it or none. */
  put(file: StagedFile & { key: string; mediaType: string; signal: AbortSignal }): Promise<void>
  /** Returns undefined when there is no such file. A range includes both ends. */
  open(part: {
    key: string
    range: { from: number; to: number } | undefined
    signal: AbortSignal
  }): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Removes all files whose keys begin with `start`, which is a whole key or ends with a slash. */
  remove(start: string): Promise<void>
  list(): AsyncIterable<StoredFile>
}
