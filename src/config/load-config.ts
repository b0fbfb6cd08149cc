import { readFileSync } from 'node:fs'
import type { Config } from './config.ts'
import { readConfig } from './read-config.ts'

/** The configuration of this process. */
export function loadConfig(): Config {
  return readConfig({ environment: process.env, readFile: (path) => readFileSync(path, 'utf8') })
}
