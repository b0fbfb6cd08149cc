import { setFlagsFromString } from 'node:v8'

/**
 * When a process rests for some seconds, V8 collects to save memory and throws compiled code away with it: the next
 * thousands of requests then cost half as much again. A server rests often and is busy again without warning.
 * `--no-memory-reducer` says it better, but only to a V8 that has not begun.
 */
export function keepCompiledCode(): void {
  setFlagsFromString('--memory-reducer-gc-count=0')
}
