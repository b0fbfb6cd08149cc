/** Header bytes of the four kinds of unit in our streams; all of them are needed by later pictures. */
export const UNIT = { picture: 0x61, keyPicture: 0x65, sequence: 0x67, pictureSet: 0x68 } as const

/** A payload as a NAL unit: a 3 goes between two zeros and a small byte, so that nothing looks like a start code. */
export function wrapUnit(header: number, payload: Buffer): Buffer {
  const bytes = [header]
  let zeros = 0
  for (const byte of payload) {
    if (zeros === 2 && byte <= 3) {
      bytes.push(3)
      zeros = 0
    }
    bytes.push(byte)
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return Buffer.from(bytes)
}
