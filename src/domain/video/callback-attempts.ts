/** How often a callback is tried before it is given up, and again each time an operator sends it anew. */
export const CALLBACK_ATTEMPTS_MAX = 3
