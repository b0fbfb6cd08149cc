import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { makeClip } from '../../clips/make-clip.ts'
import { pictureSize } from '../../clips/picture-size.ts'
import { type Media, noSuchMedia, serveMedia } from '../../media/serve-media.ts'
import { refuseLink } from '../../media/signed-link.ts'
import type { SandboxReply, SandboxRequest, SandboxRoute } from '../../part.ts'
import { readSampleName, type Sample, type SampleKind } from './sample-name.ts'

/** `/samples`: media to make assets of. `/media`: target of the links of active assets. */
export function sampleRoutes(): SandboxRoute[] {
  return [
    { operation: 'sample', method: 'GET', path: '/samples/:name', handle: answerSample },
    { operation: 'sample', method: 'HEAD', path: '/samples/:name', handle: answerSample },
    { operation: 'media', method: 'GET', path: '/media/:name', handle: answerMedia },
    { operation: 'media', method: 'HEAD', path: '/media/:name', handle: answerMedia },
  ]
}

function answerMedia(request: SandboxRequest): SandboxReply {
  return refuseLink('media', request) ?? answerSample(request)
}

function answerSample({ params, headers }: SandboxRequest): SandboxReply {
  const sample = readSampleName(params.name ?? '')
  if (sample === undefined) return noSuchMedia('There is no such sample.')
  return serveMedia(makeSample(sample), headers.range)
}

const CLIP_SECONDS = 4

/** A small file that really opens. Each label gives other bytes, so that no two assets have the same file. */
export function makeSample({ kind, label }: Sample): Media {
  const { contentType, make } = RECIPES[kind]
  return { contentType, bytes: make(label) }
}

const RECIPES: Readonly<Record<SampleKind, { contentType: string; make(label: string): Buffer }>> = {
  portrait: { contentType: 'image/png', make: (label) => labelPng(readMedia('portrait.png'), label) },
  landscape: { contentType: 'image/png', make: (label) => labelPng(readMedia('landscape.png'), label) },
  clip: {
    contentType: 'video/mp4',
    make: (label) => makeClip({ ...pictureSize('480p', '1:1'), seconds: CLIP_SECONDS, label }),
  },
  tone: { contentType: 'audio/wav', make: (label) => labelWav(readMedia('tone.wav'), label) },
}

function readMedia(name: string): Buffer {
  return readFileSync(new URL(`../../media/${name}`, import.meta.url))
}

/** Length, type and checksum. The last chunk of a file has nothing else. */
const PNG_CHUNK_FRAME_BYTES = 12

/** Writes the label as the title, in a text chunk before the last chunk. */
function labelPng(png: Buffer, label: string): Buffer {
  if (label === '') return png
  const chunk = Buffer.from(`\0\0\0\0tEXtTitle\0${label}\0\0\0\0`, 'latin1')
  chunk.writeUInt32BE(chunk.length - PNG_CHUNK_FRAME_BYTES)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
  const end = png.length - PNG_CHUNK_FRAME_BYTES
  return Buffer.concat([png.subarray(0, end), chunk, png.subarray(end)])
}

/** Writes the label into a chunk at the end that players skip. Chunks have an even length. */
function labelWav(wav: Buffer, label: string): Buffer {
  if (label === '') return wav
  const chunk = Buffer.from(`JUNK\0\0\0\0${label.padEnd(label.length + (label.length % 2))}`, 'latin1')
  chunk.writeUInt32LE(chunk.length - 8, 4)
  const labelled = Buffer.concat([wav, chunk])
  labelled.writeUInt32LE(labelled.length - 8, 4)
  return labelled
}
