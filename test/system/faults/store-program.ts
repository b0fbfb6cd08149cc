import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface StoreProgram {
  /** Output so far, whole lines only. */
  lines: string[]
  errors(): string
  /** Resolves when that many lines are there; rejects when the program ends first. */
  said(count: number): Promise<void>
  kill(): Promise<void>
  exitCode(): Promise<number | null>
}

/** Starts `store-child.ts` with these words. */
export function startStoreProgram(...words: string[]): StoreProgram {
  return startProgram(CHILD, ...words)
}

export function startProgram(file: string, ...words: string[]): StoreProgram {
  const child = spawn(process.execPath, [file, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  let errors = ''
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = once(child, 'close')
  const isOver = () => child.exitCode !== null || child.signalCode !== null

  return {
    lines,
    errors: () => errors,
    said: async (count) => {
      while (lines.length < count) {
        if (isOver()) throw new Error(`the program ended after ${lines.length} lines: ${errors}`)
        await Promise.race([once(reader, 'line'), ended])
      }
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    exitCode: async () => {
      await ended
      return child.exitCode
    },
  }
}

const CHILD = new URL('./store-child.ts', import.meta.url).pathname
