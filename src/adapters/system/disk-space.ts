import { statfs } from 'node:fs/promises'
import type { DiskSpace } from '../../ports/disk-space.ts'

export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}
