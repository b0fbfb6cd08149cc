/** Bits in the order and codes of H.264: fixed lengths and Exp-Golomb numbers. */
export interface BitWriter {
  bits(value: number, count: number): void
  /** ue(v) of the standard. */
  unsigned(value: number): void
  /** se(v) of the standard. */
  signed(value: number): void
  /** Closes the payload with its stop bit. */
  finish(): Buffer
}

export function createBitWriter(): BitWriter {
  const bytes: number[] = []
  let open = 0
  let openBits = 0

  const bits = (value: number, count: number): void => {
    for (let left = count; left > 0; ) {
      const taken = Math.min(left, 8 - openBits)
      open = (open << taken) | ((value >>> (left - taken)) & ((1 << taken) - 1))
      openBits += taken
      left -= taken
      if (openBits < 8) continue
      bytes.push(open)
      open = 0
      openBits = 0
    }
  }
  const unsigned = (value: number): void => {
    const length = 32 - Math.clz32(value + 1)
    bits(0, length - 1)
    bits(value + 1, length)
  }

  return {
    bits,
    unsigned,
    signed: (value) => unsigned(value > 0 ? 2 * value - 1 : -2 * value),
    finish() {
      bits(1, 1)
      if (openBits > 0) bits(0, 8 - openBits)
      return Buffer.from(bytes)
    },
  }
}
