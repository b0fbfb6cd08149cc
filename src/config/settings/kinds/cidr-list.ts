import { isIP } from 'node:net'
import type { Kind } from './kind.ts'

export const cidrList: Kind<readonly string[]> = {
  takes: 'address ranges separated by commas, such as 127.0.0.0/8, fd00::/8',
  parse(text) {
    const ranges = text.split(',').map((range) => range.trim())
    for (const range of ranges) {
      const fault = faultOf(range)
      if (fault !== undefined) return fault
    }
    return { value: ranges }
  },
}

function faultOf(range: string): { wrong: string; fix?: string } | undefined {
  if (range === '') return { wrong: 'has an empty entry' }
  const [address = '', length, ...rest] = range.split('/')
  const version = address.includes('%') ? 0 : isIP(address)
  if (version === 0) return { wrong: `has the entry "${range}", whose address is not valid` }
  const lengthMax = version === 4 ? 32 : 128
  if (length === undefined)
    return {
      wrong: `has the entry "${range}" without a length`,
      fix: `Write ${range}/${lengthMax} for it alone.`,
    }
  const valid = rest.length === 0 && /^\d{1,3}$/.test(length) && Number(length) <= lengthMax
  return valid ? undefined : { wrong: `has the entry "${range}", whose length is not 0 to ${lengthMax}` }
}
