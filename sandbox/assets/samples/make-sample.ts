import { hash } from 'node:crypto'
import { makeClip } from '../../clips/make-clip.ts'
import { pictureSize } from '../../clips/picture-size.ts'
import { drawLandscape } from './draw-landscape.ts'
import { drawPortrait } from './draw-portrait.ts'
import { makeTone } from './make-tone.ts'
import type { Sample, SampleKind } from './sample-name.ts'

export interface MadeSample {
  contentType: string
  bytes: Buffer
}

const CLIP_SECONDS = 4

/** A small file that really opens, made anew each time: the sandbox ships none. */
export function makeSample({ kind, label }: Sample): MadeSample {
  const { contentType, make } = RECIPES[kind]
  return { contentType, bytes: make(colourOf(label)) }
}

/** Each label has its own, and all are soft enough to look at. */
function colourOf(label: string): string {
  const bytes = hash('sha256', `sample ${label}`, 'buffer').subarray(0, 3)
  return Buffer.from(bytes.map((byte) => Math.round((byte + SOFTNESS) / 2))).toString('hex')
}

const SOFTNESS = 210

interface Recipe {
  contentType: string
  /** The colour as six hexadecimal digits. */
  make(colour: string): Buffer
}

const RECIPES: Readonly<Record<SampleKind, Recipe>> = {
  portrait: { contentType: 'image/png', make: drawPortrait },
  landscape: { contentType: 'image/png', make: drawLandscape },
  clip: {
    contentType: 'video/mp4',
    make: (colour) => makeClip({ ...pictureSize('480p', '1:1'), seconds: CLIP_SECONDS, colour }),
  },
  tone: { contentType: 'audio/wav', make: makeTone },
}
