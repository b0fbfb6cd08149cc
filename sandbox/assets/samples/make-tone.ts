const SAMPLES_PER_SECOND = 8_000
const SECONDS = 3
const HEADER_BYTES = 44
const SILENCE = 128

/** Three seconds of one tone as a WAV file: 8 bits, one channel. The colour chooses the pitch. */
export function makeTone(colour: string): Buffer {
  const count = SAMPLES_PER_SECOND * SECONDS
  const pitchHertz = 220 + (Number.parseInt(colour.slice(0, 2), 16) % 24) * 20
  const file = Buffer.alloc(HEADER_BYTES + count)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(HEADER_BYTES - 8 + count, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(SAMPLES_PER_SECOND, 24)
  file.writeUInt32LE(SAMPLES_PER_SECOND, 28)
  file.writeUInt16LE(1, 32)
  file.writeUInt16LE(8, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(count, 40)
  for (let at = 0; at < count; at += 1) {
    // It swells and fades, so that it does not click.
    const loudness = 60 * Math.sin((Math.PI * at) / count)
    const wave = Math.sin((2 * Math.PI * pitchHertz * at) / SAMPLES_PER_SECOND)
    file[HEADER_BYTES + at] = SILENCE + Math.round(loudness * wave)
  }
  return file
}
