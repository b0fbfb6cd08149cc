import { parseLine } from './parse-line.ts'

/** A name for people. */
export const parseName = parseLine('A name')
