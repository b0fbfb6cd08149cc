import { invalid, type Place } from './place.ts'

const MEGABYTE = 1024 * 1024
export const IMAGE_BYTES_MAX = 5 * MEGABYTE
export const IMAGES_BYTES_MAX = 12 * MEGABYTE

/** Counts the images of one request, by their decoded size. */
export class ImageTally {
  #bytes = 0

  add(data: string, at: Place): void {
    const bytes = decodedBytes(data)
    if (bytes > IMAGE_BYTES_MAX) throw invalid(at, 'data', 'must be an image of at most 5 MB')
    this.#bytes += bytes
    if (this.#bytes > IMAGES_BYTES_MAX) {
      throw invalid(undefined, 'messages', 'must have at most 12 MB of images in total')
    }
  }
}

/** Of base64, by its length alone: looking at every character of 12 MB would hold up everybody else. */
function decodedBytes(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return Math.floor((data.length * 3) / 4) - padding
}
