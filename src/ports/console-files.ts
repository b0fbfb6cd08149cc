/** A file of the built console, as it is sent. */
export interface ConsoleFile {
  bytes: Uint8Array
  contentType: string
  /** With its quotes; of the encoding that is sent. */
  etag: string
  encoding: 'br' | undefined
  /** Its name has a digest of its content: a browser need not ask for it twice. */
  isHashed: boolean
}

/** The built pages of the console. They stay on the disk. */
export interface ConsoleFiles {
  /** By its path below `/console/`, exactly as the build wrote it. undefined: there is no such file, or no build. */
  find(path: string, accepts: { brotli: boolean }): Promise<ConsoleFile | undefined>
}
