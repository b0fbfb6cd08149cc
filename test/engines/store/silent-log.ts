import type { Log } from '../../../src/ports/log.ts'

export const SILENT_LOG: Log = { debug() {}, info() {}, warn() {}, error() {} }
