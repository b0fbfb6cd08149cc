/** A content block as this wire has it. */
export type WireBlock = Record<string, unknown> & { type: string }
