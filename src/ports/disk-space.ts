/** Free space of the disk that holds the embedded store. */
export interface DiskSpace {
  freeBytes: number
  totalBytes: number
}
