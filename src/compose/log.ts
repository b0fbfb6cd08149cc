import { createLog, type FlushableLog } from '../adapters/telemetry/log.ts'
import { textLines } from '../adapters/telemetry/text-lines.ts'
import type { Config } from './config.ts'

export function openLog({ telemetry }: Pick<Config, 'telemetry'>): FlushableLog {
  const { logLevel: level } = telemetry
  const { isText, hasColours } = formOf(telemetry, process.stderr.isTTY === true)
  return createLog(isText ? { level, lines: textLines({ hasColours }) } : { level })
}

export function formOf(
  { logFormat, hasColours }: Pick<Config['telemetry'], 'logFormat' | 'hasColours'>,
  isTerminal: boolean,
): { isText: boolean; hasColours: boolean } {
  return {
    isText: logFormat === 'auto' ? isTerminal : logFormat === 'text',
    hasColours: hasColours && isTerminal,
  }
}
