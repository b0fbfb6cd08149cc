import type { MediumType } from '../file-script.ts'

export type SampleKind = 'portrait' | 'landscape' | 'clip' | 'tone'

export interface Sample {
  kind: SampleKind
  /** Label that makes the bytes of the sample unique; empty for the plain one. */
  label: string
}

export const SAMPLE_TYPES: Readonly<Record<SampleKind, MediumType>> = {
  portrait: 'Image',
  landscape: 'Image',
  clip: 'Video',
  tone: 'Audio',
}

const EXTENSIONS: Readonly<Record<MediumType, string>> = { Image: 'png', Video: 'mp4', Audio: 'wav' }

/** The name of a sample holds all data to make it: `portrait.png`, `portrait-3f7ac1.png`. */
export function sampleName({ kind, label }: Sample): string {
  return `${kind}${label === '' ? '' : `-${label}`}.${EXTENSIONS[SAMPLE_TYPES[kind]]}`
}

export function readSampleName(name: string): Sample | undefined {
  const [, word = '', label = ''] = /^([a-z]+)(?:-([\w-]{1,64}))?\.[a-z0-9]+$/.exec(name) ?? []
  if (!isKind(word)) return undefined
  const sample = { kind: word, label }
  return sampleName(sample) === name ? sample : undefined
}

function isKind(word: string): word is SampleKind {
  return Object.hasOwn(SAMPLE_TYPES, word)
}
