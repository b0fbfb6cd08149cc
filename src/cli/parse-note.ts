import { parseLine } from './parse-line.ts'

/** Why money moved, kept with the ledger entry. */
export const parseNote = parseLine('A note')
