/** Tested clients by exact version; `docs/compatibility.md` shows the same versions. */
export const CLIENTS = {
  codex: { '@openai/codex': '0.166.0' },
  qwenCode: { '@qwen-code/qwen-code': '0.24.4' },
  openCode: { 'opencode-ai': '1.18.18' },
  claudeCode: { '@anthropic-ai/claude-code': '2.1.325' },
  mcpConformance: { '@modelcontextprotocol/conformance': '0.1.16' },
  libraries: {
    ai: '7.0.169',
    '@ai-sdk/openai': '4.0.114',
    '@ai-sdk/openai-compatible': '3.0.90',
    '@ai-sdk/anthropic': '4.0.102',
    '@openai/agents': '0.20.0',
    '@langchain/core': '1.2.13',
    '@langchain/openai': '1.6.0',
    '@langchain/anthropic': '1.5.11',
    zod: '4.6.7',
  },
} as const satisfies Record<string, Record<string, string>>

export type ClientName = keyof typeof CLIENTS
