/** What text and code come to in most replies: for a count that is charged. */
export const BYTES_PER_TOKEN = 4

/** Fewer than in any script: for a count from above, which only sets money aside. */
export const BYTES_PER_TOKEN_MIN = 3

/** Reasoning that is not shown is sent as its proof: base64 of about as many bytes as the text had. */
export const PROOF_CHARACTERS_PER_TOKEN = 6
