import { execFileSync } from 'node:child_process'
import { obtainBinary } from '../../servers/obtain-binary.ts'

/** Everything that exiftool, which knows nothing of us, reads in a file. */
export function runExiftool(clip: Uint8Array): Record<string, unknown> {
  const program = obtainBinary({
    binaries: ['exiftool'],
    debianPackage: 'libimage-exiftool-perl',
    homebrewPackage: 'exiftool',
  })
  return JSON.parse(execFileSync(program, ['-j', '-n', '-'], { input: clip, encoding: 'utf8' }))[0]
}
