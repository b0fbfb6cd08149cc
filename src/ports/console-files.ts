/** A file of the built console, ready to send. */
export interface ConsoleFile {
  bytes: Uint8Array
  contentType: string
  /** Includes the quotes; belongs to the encoding that is sent. */
  etag: string
  encoding: 'br' | undefined
  /** Whether its name has a digest of its content, so that a browser can cache it. */
  isHashed: boolean
}

/** The built pages of the console, on the disk. */
export interface ConsoleFiles {
  /** Finds a file by its path below `/console/`, exactly as the build wrote it. undefined: there is no such file, or no build. */
  find(path: string, accepts: { brotli: boolean }): Promise<ConsoleFile | undefined>
}
