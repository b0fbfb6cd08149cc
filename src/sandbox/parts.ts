import type { SandboxPart } from './part.ts'

/** The vendors that the sandbox stands in for. */
export const PARTS: readonly SandboxPart[] = []
