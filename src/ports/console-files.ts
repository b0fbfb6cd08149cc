export interface ConsoleFile {
  bytes: Uint8Array
  contentType: string
  /** Includes the quotes. Each encoding has its own value. */
  etag: string
  encoding: 'br' | undefined
  /** Whether the name contains a digest of the content, so a browser can cache the file. */
  isHashed: boolean
}

export interface ConsoleFiles {
  /** `path` is below `/console/`, exactly as the build wrote it. */
  find(path: string, accepts: { brotli: boolean }): Promise<ConsoleFile | undefined>
}
